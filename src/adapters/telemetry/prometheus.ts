import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Metrics, PoolState } from '../../ports/metrics.ts'
import { createTally } from './tally.ts'

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
  const fallbacks = new Counter({
    name: 'sluice_fallbacks_total',
    help: 'Text requests that another model served than the one that was asked for.',
    labelNames: ['asked', 'served'],
    registers,
  })
  const money = countMoney(registry)
  const hangUps = countHangUps(registry)
  const pools = watchPools('sluice_pool_connections', registry)
  countWorkers('sluice_workers', registry)

  const requestTally = createTally(([operation, method, status], seconds) => {
    requests.inc({ operation, method, status })
    requestSeconds.observe({ operation, status }, seconds)
  })
  const callTally = createTally(([provider, operation, outcome], seconds) => {
    upstreamCalls.inc({ provider, operation, outcome })
    upstreamSeconds.observe({ provider, operation }, seconds)
  })
  const handOn = () => {
    requestTally.handOn()
    callTally.handOn()
    hangUps.handOn()
  }

  return {
    requestFinished: ({ operation, method, status, durationMs }) =>
      requestTally.note(operation, method, status, durationMs / 1_000),
    requestShed: () => requestsShed.inc(),
    upstreamCallFinished: ({ provider, operation, outcome, seconds }) =>
      callTally.note(provider, operation, outcome, seconds),
    breakerMoved: ({ provider, state }) => breakers.set({ provider }, BREAKER_VALUES[state]),
    fallbackServed: (models) => fallbacks.inc(models),
    ...money,
    textReplyEnded: hangUps.note,
    watchPool: (name, read) => void pools.set(name, read),
    watchBodies: (read) => watchBodies('sluice_request_body_bytes', read, registry),
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
    help: 'Places of a pool that are busy and idle, and callers that wait for one.',
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

function watchBodies(name: string, read: () => number, registry: Registry): void {
  registry.removeSingleMetric(name)
  const help = 'Bytes of request bodies that are held until their requests are answered.'
  const bytes: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      bytes.set(read())
    },
  })
}

/** Summed over a cluster it says how many workers a scrape speaks for. */
function countWorkers(name: string, registry: Registry): void {
  const help = 'Worker processes whose numbers are in this scrape.'
  new Gauge({ name, help, registers: [registry] }).set(1)
}

/** Each key is two lines of a scrape: those that come after so many are counted together. */
const KEYS_MAX = 500
const OTHERS = 'others'

/** How many replies of each API key were heard to their end, and how many the client left before it. */
export function countHangUps(registry: Registry): {
  note(keyId: string, isHungUp: boolean): void
  /** Hands on what was noted since the last time. */
  handOn(): void
} {
  const counter = new Counter({
    name: 'sluice_text_replies_total',
    help: 'Text requests that reached a vendor, by API key and by whether the client left before the end.',
    labelNames: ['key', 'hung_up'],
    registers: [registry],
  })
  const noted = new Map<string, { heard: number; hungUp: number }>()
  return {
    note(keyId, isHungUp) {
      const counts = noted.get(keyId) ?? open(keyId)
      if (isHungUp) counts.hungUp += 1
      else counts.heard += 1
    },
    handOn() {
      for (const [key, counts] of noted) {
        if (counts.heard > 0) counter.inc({ key, hung_up: 'false' }, counts.heard)
        if (counts.hungUp > 0) counter.inc({ key, hung_up: 'true' }, counts.hungUp)
        counts.heard = 0
        counts.hungUp = 0
      }
    },
  }

  function open(keyId: string): { heard: number; hungUp: number } {
    const key = noted.size < KEYS_MAX ? keyId : OTHERS
    const counts = noted.get(key) ?? { heard: 0, hungUp: 0 }
    noted.set(key, counts)
    return counts
  }
}

type MoneyMetrics = Pick<
  Metrics,
  'limitKeptLocally' | 'moneyLost' | 'budgetWarned' | 'usageWaiting' | 'allowanceExpired'
>

/** What an operator watches about money and limits. All of it is zero on a good day. */
function countMoney(registry: Registry): MoneyMetrics {
  const registers = [registry]
  const keptLocally = new Counter({
    name: 'sluice_limits_kept_locally_total',
    help: 'Decisions about a shared limit that this process took alone because the cache was unreachable.',
    labelNames: ['limit'],
    registers,
  })
  const lost = new Counter({
    name: 'sluice_money_lost_micros_total',
    help: 'Micro-USD that work cost and no balance could pay.',
    registers,
  })
  const budgetWarnings = new Counter({
    name: 'sluice_budget_warnings_total',
    help: 'Organizations that reached the warning threshold of their monthly budget.',
    registers,
  })
  const waiting = new Gauge({
    name: 'sluice_usage_rows_waiting',
    help: 'Usage rows that are not written yet.',
    registers,
  })
  const expired = new Counter({
    name: 'sluice_allowances_expired_total',
    help: 'Allowances that no replica gave back in time.',
    registers,
  })
  const expiredMicros = new Counter({
    name: 'sluice_allowances_expired_micros_total',
    help: 'Micro-USD of those allowances: the most that was used and never written.',
    registers,
  })
  return {
    limitKeptLocally: (limit) => keptLocally.inc({ limit }),
    moneyLost: (amountMicros) => lost.inc(amountMicros),
    budgetWarned: () => budgetWarnings.inc(),
    usageWaiting: (rows) => waiting.set(rows),
    allowanceExpired(amountMicros) {
      expired.inc()
      expiredMicros.inc(amountMicros)
    },
  }
}
