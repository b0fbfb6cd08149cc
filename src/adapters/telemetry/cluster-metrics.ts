import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import type { Metrics } from '../../ports/metrics.ts'
import type { MetricsSnapshot, PrometheusMetrics } from './prometheus.ts'

/**
 * A scrape reaches one worker and shows all of them:
 *
 *   asked worker -> primary       'metrics-wanted'
 *   primary      -> every worker  'metrics-read'
 *   every worker -> primary       'metrics-snapshot'
 *   primary      -> asked worker  'metrics-sum'
 *
 * The sum leaves out a worker that does not reply, and without a reply of the primary the asked worker shows its own
 * numbers; the gauge of workers shows how many are included. Numbers of an ended worker are lost, which Prometheus reads
 * as a counter reset.
 */
type Message =
  | { kind: 'metrics-wanted'; scrape: number }
  | { kind: 'metrics-read'; scrape: number }
  | { kind: 'metrics-snapshot'; scrape: number; snapshot: MetricsSnapshot }
  | { kind: 'metrics-sum'; scrape: number; contentType: string; body: string }

const WORKER_TIMEOUT_MS = 2_000
/** Timeout shorter than the worker's, so that an incomplete sum still arrives in time. */
const PRIMARY_TIMEOUT_MS = 1_000

/** Answers workers from the primary process. Returns a function that stops the answers. */
export function answerMetricsRequests(): () => void {
  const gatherings = new Map<number, (snapshot: MetricsSnapshot) => void>()
  let lastScrape = 0

  const onMessage = (worker: Worker, message: unknown) => {
    if (!isMessage(message)) return
    if (message.kind === 'metrics-snapshot') gatherings.get(message.scrape)?.(message.snapshot)
    if (message.kind === 'metrics-wanted') answer(worker, message.scrape).catch(ignoreFailure)
  }

  const answer = async (worker: Worker, wanted: number) => {
    lastScrape += 1
    const sum = AggregatorRegistry.aggregate(await gather(lastScrape))
    const { contentType } = sum
    send(worker, { kind: 'metrics-sum', scrape: wanted, contentType, body: await sum.metrics() })
  }

  const gather = async (scrape: number): Promise<MetricsSnapshot[]> => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected())
    const snapshots: MetricsSnapshot[] = []
    const complete = Promise.withResolvers<void>()
    const timer = setTimeout(complete.resolve, PRIMARY_TIMEOUT_MS)
    gatherings.set(scrape, (snapshot) => {
      snapshots.push(snapshot)
      if (snapshots.length >= workers.length) complete.resolve()
    })
    try {
      for (const worker of workers) if (worker !== undefined) send(worker, { kind: 'metrics-read', scrape })
      await complete.promise
    } finally {
      clearTimeout(timer)
      gatherings.delete(scrape)
    }
    return snapshots
  }

  cluster.on('message', onMessage)
  return () => void cluster.off('message', onMessage)
}

/** Replaces `render` in a worker by one for the whole cluster. */
export function shareMetrics(own: PrometheusMetrics): Metrics {
  type Rendered = Awaited<ReturnType<Metrics['render']>>
  const scrapes = new Map<number, (sum: Rendered) => void>()
  let lastScrape = 0

  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return
    if (message.kind === 'metrics-sum') scrapes.get(message.scrape)?.(message)
    if (message.kind === 'metrics-read') sendSnapshot(message.scrape).catch(ignoreFailure)
  })

  const sendSnapshot = async (scrape: number) =>
    sendToPrimary({ kind: 'metrics-snapshot', scrape, snapshot: await own.snapshot() })

  const render = async (): Promise<Rendered> => {
    lastScrape += 1
    const scrape = lastScrape
    const answered = Promise.withResolvers<Rendered | undefined>()
    const timer = setTimeout(() => answered.resolve(undefined), WORKER_TIMEOUT_MS)
    scrapes.set(scrape, ({ contentType, body }) => answered.resolve({ contentType, body }))
    sendToPrimary({ kind: 'metrics-wanted', scrape })
    const sum = await answered.promise
    clearTimeout(timer)
    scrapes.delete(scrape)
    return sum ?? own.render()
  }

  return { ...own, render }
}

const KINDS: readonly string[] = ['metrics-wanted', 'metrics-read', 'metrics-snapshot', 'metrics-sum']

/** Tells whether a message is about metrics; other parts of the program send other messages. */
function isMessage(message: unknown): message is Message {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return false
  return typeof message.kind === 'string' && KINDS.includes(message.kind)
}

/**
 * Ignores numbers that cannot be read or summed, which must not end the process. The receiver continues without these
 * numbers after its timeout, and its gauge of workers shows that.
 */
function ignoreFailure(): void {}

/** Sends a message. The timeouts above cover a receiver that ends before the message arrives. */
function send(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

function sendToPrimary(message: Message): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}
