import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { VERSION } from '../../config/config.ts'
import { CALLBACK_OUTCOMES, type Metrics, type PoolState } from '../../ports/metrics.ts'
import { boundedLabel } from './bounded-label.ts'
import { type RegisteredMetrics, registerMetrics } from './metric-table.ts'
import { createTally } from './tally.ts'
import { countCachedInput, countHangUps, countText } from './text-metrics.ts'

/** Numbers of one worker as plain data, which are summed with others. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export interface PrometheusMetrics extends Metrics {
  snapshot(): Promise<MetricsSnapshot>
}

const LAG_RESOLUTION_MS = 20

/** Creates the metrics. No label comes from a client, and the number of key labels is limited. */
export function createMetrics(): PrometheusMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_RESOLUTION_MS })
  const metrics = registerMetrics(registry)
  const { requests, requestSeconds, requestsShed, upstreamCalls, upstreamSeconds, breakers, errors } = metrics
  metrics.workers.set(1)
  metrics.build.set({ version: VERSION, node: process.versions.node }, 1)
  watchEventLoop(metrics)
  const text = countText(metrics)
  const hangUps = countHangUps(metrics)
  const cachedInput = countCachedInput(metrics)
  const pools = watchPools(metrics)
  const keys = watchKeys(metrics)

  const requestTally = createTally({
    count: ([operation, method, status], times) => requests.inc({ operation, method, status }, times),
    observe: ([operation, , status], seconds) => requestSeconds.observe({ operation, status }, seconds),
  })
  const callTally = createTally({
    count: ([provider, operation, outcome], times) =>
      upstreamCalls.inc({ provider, operation, outcome }, times),
    observe: ([provider, operation], seconds) => upstreamSeconds.observe({ provider, operation }, seconds),
  })
  const errorTally = createTally({
    count: ([operation, code], times) => errors.inc({ operation, code }, times),
    observe() {},
  })
  let shed = 0
  const flush = () => {
    requestTally.flush()
    errorTally.flush()
    requestsShed.inc(shed)
    shed = 0
    callTally.flush()
    hangUps.flush()
    cachedInput.flush()
    text.flush()
  }

  return {
    requestFinished({ operation, method, status, durationMs, code }) {
      requestTally.record(operation, method, status, durationMs / 1_000)
      if (code !== undefined) errorTally.record(operation, code, '', 0)
    },
    requestShed() {
      shed += 1
    },
    upstreamCallFinished: ({ provider, operation, outcome, seconds }) =>
      callTally.record(provider, operation, outcome, seconds),
    breakerMoved: ({ provider, state }) => breakers.set({ provider }, BREAKER_VALUES[state]),
    ...countMoney(metrics),
    ...countWork(metrics),
    ...text.metrics,
    textReplyEnded(keyId, usage) {
      hangUps.record(keyId, usage.outcome === 'hung-up')
      cachedInput.record(keyId, usage)
      text.record(usage)
    },
    watchKeys: (provider, read) => void keys.set(provider, read),
    // Breakers have no metric per model, which would be too many labels; the admin API shows them.
    watchBreakers() {},
    ...watchNumbers(registry),
    watchPool: (name, read) => void pools.set(name, read),
    async render() {
      flush()
      return { contentType: registry.contentType, body: await registry.metrics() }
    },
    snapshot() {
      flush()
      return registry.getMetricsAsJSON()
    },
  }
}

const BREAKER_VALUES = { closed: 0, 'half-open': 1, open: 2 } as const

/** Reports the lag since the last scrape, without the monitor's own interval. */
function watchEventLoop({ lag }: RegisteredMetrics): void {
  const monitor = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  monitor.enable()
  readAtScrape(lag, () => {
    const seconds = (nanoseconds: number) =>
      Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1e3) : 0
    lag.set({ quantile: '0.5' }, seconds(monitor.percentile(50)))
    lag.set({ quantile: '0.99' }, seconds(monitor.percentile(99)))
    lag.set({ quantile: '1' }, seconds(monitor.max))
    monitor.reset()
  })
}

function watchPools({ pools: connections }: RegisteredMetrics): Map<string, () => PoolState> {
  const pools = new Map<string, () => PoolState>()
  readAtScrape(connections, () => {
    for (const [pool, read] of pools)
      for (const [state, count] of Object.entries(read())) connections.set({ pool, state }, count)
  })
  return pools
}

function watchKeys({ keysResting }: RegisteredMetrics): Map<string, () => number> {
  const providers = new Map<string, () => number>()
  readAtScrape(keysResting, () => {
    for (const [provider, read] of providers) keysResting.set({ provider }, read())
  })
  return providers
}

/** prom-client calls `collect` of a metric before each scrape. */
function readAtScrape(gauge: Gauge, collect: () => void): void {
  Object.assign(gauge, { collect })
}

/** Gauges that are read at each scrape, by the method that sets the reader. */
const READ_AT_SCRAPE = {
  watchInFlight: ['sluice_requests_in_flight', 'Requests of known callers that are being answered.'],
  watchReplies: ['sluice_text_replies_running', 'Text replies that are running, whole or as a stream.'],
  watchStreams: ['sluice_text_streams_open', 'Text replies that are running as a stream.'],
  watchSockets: ['sluice_websockets_open', 'WebSocket connections that are open.'],
  watchBodies: [
    'sluice_request_body_bytes',
    'Bytes of request bodies that are held until their requests are answered.',
  ],
} as const satisfies Partial<Record<keyof Metrics, readonly [name: string, help: string]>>

function watchNumbers(registry: Registry): Pick<Metrics, keyof typeof READ_AT_SCRAPE> {
  const watching = (method: keyof typeof READ_AT_SCRAPE) => (read: () => number) => {
    const [name, help] = READ_AT_SCRAPE[method]
    registry.removeSingleMetric(name)
    const collect = () => gauge.set(read())
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect })
  }
  return {
    watchInFlight: watching('watchInFlight'),
    watchReplies: watching('watchReplies'),
    watchStreams: watching('watchStreams'),
    watchSockets: watching('watchSockets'),
    watchBodies: watching('watchBodies'),
  }
}

const MODELS_MAX = 200
const REASONS_MAX = 50

/** Counts tasks, callbacks, verifications and holds. Callbacks and verifications begin at 0, so that rates work. */
function countWork(metrics: RegisteredMetrics) {
  const { tasksEnded, videoCost, tasksHandedOver, callbacks, verifications } = metrics
  const boundModel = boundedLabel(MODELS_MAX)
  const boundReason = boundedLabel(REASONS_MAX)
  for (const outcome of CALLBACK_OUTCOMES) callbacks.inc({ outcome }, 0)
  for (const result of ['granted', 'denied']) verifications.inc({ result }, 0)

  return {
    taskEnded({ model, provider, status, costMicros }) {
      const labels = { model: boundModel(model), provider }
      tasksEnded.inc({ ...labels, status })
      videoCost.inc(labels, costMicros)
    },
    taskHandedOver({ asked, served, reason }) {
      const labels = { asked: boundModel(asked), served: boundModel(served), reason: boundReason(reason) }
      tasksHandedOver.inc(labels)
    },
    callbackAttempted: (outcome) => callbacks.inc({ outcome }),
    verificationEnded: (result) => verifications.inc({ result }),
    storeCounted({ openTasks, latePollMs, holds }) {
      for (const [status, count] of Object.entries(openTasks)) metrics.tasksOpen.set({ status }, count)
      metrics.pollLate.set(latePollMs / 1_000)
      for (const [kind, { count, amountMicros }] of Object.entries(holds)) {
        metrics.holds.set({ kind }, count)
        metrics.held.set({ kind }, amountMicros)
      }
    },
  } satisfies Partial<Metrics>
}

/** Counts lost money, exceeded holds, budget warnings, expired allowances and local limits; shows waiting rows. */
function countMoney(metrics: RegisteredMetrics) {
  const { keptLocally, lost, exceeded, budgetWarnings, usageWaiting, expired, expiredMicros } = metrics
  for (const limit of ['rate', 'day']) keptLocally.inc({ limit }, 0)
  return {
    limitKeptLocally: (limit) => keptLocally.inc({ limit }),
    moneyLost: (amountMicros) => lost.inc(amountMicros),
    holdExceeded: () => exceeded.inc(),
    budgetWarned: () => budgetWarnings.inc(),
    usageWaiting: (rows) => usageWaiting.set(rows),
    allowanceExpired(amountMicros) {
      expired.inc()
      expiredMicros.inc(amountMicros)
    },
  } satisfies Partial<Metrics>
}
