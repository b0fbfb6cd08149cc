import cluster, { type Address, type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { CLOSING_MS_MAX } from './close-gateway.ts'
import { decideWorkerRestart } from './decide-worker-restart.ts'

/** Time beyond the worker's own grace and limit after which a worker is killed. */
const OVERTIME_MS = CLOSING_MS_MAX + 3_000

/**
 *   starting -> serving    when N different workers listen
 *            -> stopping   by a signal (0), or when a worker ends by itself or workers are killed again and again (1)
 *   serving  -> stopping   by a signal (0); workers that die are replaced
 *   stopping -> ended      when the last worker has ended; those that take too long are killed (1)
 */
type PrimaryState = 'starting' | 'serving' | 'stopping'

/** Runs the primary of `serve --workers N`. Resolves with the exit code, which the drawing has in brackets. */
export async function runWorkers(tools: {
  count: number
  graceMs: number
  environment: Record<string, string>
  clock: Clock
  log: Log
  onReady(port: number): void
}): Promise<number> {
  const { count, graceMs, environment, clock, log, onReady } = tools
  const ended = Promise.withResolvers<number>()
  const stopping = new AbortController()
  const births = new Map<Worker, number>()
  const listening = new Set<Worker>()
  let state: PrimaryState = 'starting'
  let deaths = 0
  let exitCode = 0

  cluster.on('listening', (worker: Worker, { port }: Address) => {
    listening.add(worker)
    if (state !== 'starting' || listening.size < count) return
    state = 'serving'
    deaths = 0
    onReady(port)
  })
  cluster.on('exit', (worker, code, signal) => {
    const livedMs = clock.monotonicMs() - (births.get(worker) ?? 0)
    births.delete(worker)
    listening.delete(worker)
    if (state === 'stopping') return endWhenEmpty()
    const after = decideWorkerRestart({
      starting: state === 'starting',
      deaths,
      livedMs,
      exitCode: signal ? null : code,
    })
    deaths = after.deaths
    if (after.next.kind === 'restart') {
      log.error('worker.replaced', { code: signal ?? String(code), count: worker.id })
      void sleep(after.next.delayMs, undefined, { signal: stopping.signal }).then(fork, () => {})
    } else {
      log.error('worker.given_up', { code: signal ?? String(code), count: deaths })
      void stop('SIGTERM', 1)
    }
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0))

  for (let index = 0; index < count; index++) fork()
  return ended.promise

  function fork(): void {
    births.set(cluster.fork(environment), clock.monotonicMs())
  }

  async function stop(signal: NodeJS.Signals, code: number): Promise<void> {
    if (state === 'stopping') return
    state = 'stopping'
    exitCode = code
    stopping.abort()
    signalWorkers(signal)
    endWhenEmpty()
    await sleep(graceMs + OVERTIME_MS, undefined, { ref: false })
    log.error('worker.killed', { count: births.size })
    exitCode = 1
    signalWorkers('SIGKILL')
  }

  function signalWorkers(signal: NodeJS.Signals): void {
    for (const worker of births.keys()) worker.process.kill(signal)
  }

  function endWhenEmpty(): void {
    if (births.size === 0) ended.resolve(exitCode)
  }
}
