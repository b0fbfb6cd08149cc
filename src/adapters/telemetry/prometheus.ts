import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { VERSION } from '../../config/config.ts'
import type { Metrics, PoolState } from '../../ports/metrics.ts'
import { countMoney } from './money-metrics.ts'
import { createTally } from './tally.ts'
import { countCachedInput, countHangUps, countText } from './text-metrics.ts'
import { countWork } from './work-metrics.ts'

/** One worker's numbers as plain data, ready to be summed with those of others. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export interface PrometheusMetrics extends Metrics {
  snapshot(): Promise<MetricsSnapshot>
}

/** From a cached answer to a long text stream. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
const LAG_RESOLUTION_MS = 20

/** Every label comes from a table or a short list, never from a client; keys are told apart up to a bound. */
export function createMetrics(): PrometheusMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_RESOLUTION_MS })
  watchEventLoop('sluice_event_loop_lag_seconds', registry)

  const requests = new Counter({
    name: 'sluice_http_requests_total',
    help: 'Requests answered, by operation, method and status.',
    labelNames: ['operation', 'method', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'sluice_http_request_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers,
  })
  const requestsShed = new Counter({
    name: 'sluice_requests_shed_total',
    help: 'Requests refused because the gateway was overloaded.',
    registers,
  })
  const upstreamCalls = new Counter({
    name: 'sluice_upstream_calls_total',
    help: 'Calls to providers, by operation and outcome.',
    labelNames: ['provider', 'operation', 'outcome'],
    registers,
  })
  const upstreamSeconds = new Histogram({
    name: 'sluice_upstream_call_seconds',
    help: 'Time of a call to a provider until its answer was complete or failed.',
    labelNames: ['provider', 'operation'],
    buckets: SECONDS,
    registers,
  })
  const breakers = new Gauge({
    name: 'sluice_breaker_state',
    help: 'Breaker of a provider: 0 closed, 1 half-open, 2 open. Over several workers the worst.',
    labelNames: ['provider'],
    aggregator: 'max',
    registers,
  })
  const errors = new Counter({
    name: 'sluice_http_errors_total',
    help: 'Errors answered, by operation and error code.',
    labelNames: ['operation', 'code'],
    registers,
  })
  const text = countText(registry)
  const money = countMoney(registry)
  const hangUps = countHangUps(registry)
  const cachedInput = countCachedInput(registry)
  const pools = watchPools('sluice_pool_connections', registry)
  countWorkers('sluice_workers', registry)
  tellBuild('sluice_build_info', registry)
  const keys = watchKeys('sluice_provider_keys_resting', registry)

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
  const handOn = () => {
    requestTally.handOn()
    errorTally.handOn()
    requestsShed.inc(shed)
    shed = 0
    callTally.handOn()
    hangUps.handOn()
    cachedInput.handOn()
    text.handOn()
  }

  return {
    requestFinished({ operation, method, status, durationMs, code }) {
      requestTally.note(operation, method, status, durationMs / 1_000)
      if (code !== undefined) errorTally.note(operation, code, '', 0)
    },
    requestShed() {
      shed += 1
    },
    upstreamCallFinished: ({ provider, operation, outcome, seconds }) =>
      callTally.note(provider, operation, outcome, seconds),
    breakerMoved: ({ provider, state }) => breakers.set({ provider }, BREAKER_VALUES[state]),
    ...money,
    ...countWork(registry),
    textRefused: text.textRefused,
    textReplyUnusable: text.textReplyUnusable,
    fallbackServed: text.fallbackServed,
    routeServed: text.routeServed,
    usageFree: text.usageFree,
    textReplyEnded(keyId, usage) {
      hangUps.note(keyId, usage.outcome === 'hung-up')
      cachedInput.note(keyId, usage)
      text.note(usage)
    },
    watchKeys: (provider, read) => void keys.set(provider, read),
    // A label for each model would be too many: the admin API shows them.
    watchBreakers() {},
    ...watchNumbers(registry),
    watchPool: (name, read) => void pools.set(name, read),
    async render() {
      handOn()
      return { contentType: registry.contentType, body: await registry.metrics() }
    },
    snapshot() {
      handOn()
      return registry.getMetricsAsJSON()
    },
  }
}

const BREAKER_VALUES = { closed: 0, 'half-open': 1, open: 2 } as const

/** Lag since the last scrape. The monitor also counts its own pause between two looks, which is taken off. */
function watchEventLoop(name: string, registry: Registry): void {
  const monitor = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  monitor.enable()
  const lag = new Gauge({
    name,
    help: 'How late the event loop was since the last scrape, as quantiles.',
    labelNames: ['quantile'],
    aggregator: 'max',
    registers: [registry],
    collect() {
      const seconds = (nanoseconds: number) =>
        Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1e3) : 0
      lag.set({ quantile: '0.5' }, seconds(monitor.percentile(50)))
      lag.set({ quantile: '0.99' }, seconds(monitor.percentile(99)))
      lag.set({ quantile: '1' }, seconds(monitor.max))
      monitor.reset()
    },
  })
}

function watchPools(name: string, registry: Registry): Map<string, () => PoolState> {
  const pools = new Map<string, () => PoolState>()
  const connections = new Gauge({
    name,
    help: 'Slots of a pool that are busy and idle, and calls that wait for one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, read] of pools) {
        const { busy, idle, waiting } = read()
        connections.set({ pool, state: 'busy' }, busy)
        connections.set({ pool, state: 'idle' }, idle)
        connections.set({ pool, state: 'waiting' }, waiting)
      }
    },
  })
  return pools
}

function watchKeys(name: string, registry: Registry): Map<string, () => number> {
  const providers = new Map<string, () => number>()
  const resting = new Gauge({
    name,
    help: 'Keys of a provider that rest because it refused or limited them.',
    labelNames: ['provider'],
    aggregator: 'max',
    registers: [registry],
    collect() {
      for (const [provider, read] of providers) resting.set({ provider }, read())
    },
  })
  return providers
}

/** What is read at each scrape, by the method that says where. */
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

/** Always 1: its labels say what runs. */
function tellBuild(name: string, registry: Registry): void {
  const help = 'The version that runs, and its Node.'
  const labelNames = ['version', 'node']
  const labels = { version: VERSION, node: process.versions.node }
  new Gauge({ name, help, labelNames, aggregator: 'max', registers: [registry] }).set(labels, 1)
}

/** Summed over a cluster it says how many workers a scrape speaks for. */
function countWorkers(name: string, registry: Registry): void {
  const help = 'Worker processes whose numbers are in this scrape.'
  new Gauge({ name, help, registers: [registry] }).set(1)
}
