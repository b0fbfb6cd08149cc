import type { Clock } from '../../ports/clock.ts'
import type { ProviderHealth } from '../../ports/installation.ts'
import type { Metrics } from '../../ports/metrics.ts'

const MINUTE_MS = 60_000
const MINUTES = 5

interface RecentHealth extends Pick<ProviderHealth, 'breaker' | 'lastError'> {
  /** Ring buffer with an entry per minute. An entry of an earlier round has an older `minute` and does not count. */
  minutes: { minute: number; calls: number; errors: number; refusals: number }[]
  countResting(): number
  listBreakers(): ProviderHealth['breakers']
}

/** Wraps the metrics, and keeps recent figures of each provider. */
export function watchProviderHealth(
  metrics: Metrics,
  clock: Clock,
): { metrics: Metrics; read(provider: string): ProviderHealth } {
  const providers = new Map<string, RecentHealth>()

  function healthOf(provider: string): RecentHealth {
    let health = providers.get(provider)
    if (health === undefined) {
      const minutes = Array.from({ length: MINUTES }, () => ({
        minute: -1,
        calls: 0,
        errors: 0,
        refusals: 0,
      }))
      health = { breaker: 'closed', lastError: null, minutes, countResting: () => 0, listBreakers: () => [] }
      providers.set(provider, health)
    }
    return health
  }

  const thisMinute = () => Math.floor(clock.monotonicMs() / MINUTE_MS)

  function record({ provider, operation, outcome }: Parameters<Metrics['upstreamCallFinished']>[0]): void {
    const health = healthOf(provider)
    const minute = thisMinute()
    const counts = health.minutes[minute % MINUTES]
    if (counts === undefined) return
    if (counts.minute !== minute) Object.assign(counts, { minute, calls: 0, errors: 0, refusals: 0 })
    counts.calls += 1
    if (outcome === '2xx' || outcome === '3xx' || outcome === 'aborted') return
    if (outcome === '4xx') counts.refusals += 1
    else counts.errors += 1
    // A call that the breaker refused is not an error of the provider, so the last error stays.
    if (outcome === 'breaker-open') return
    health.lastError = { atMs: clock.nowMs(), operation, outcome }
  }

  return {
    metrics: {
      ...metrics,
      upstreamCallFinished(call) {
        record(call)
        metrics.upstreamCallFinished(call)
      },
      breakerMoved(breaker) {
        healthOf(breaker.provider).breaker = breaker.state
        metrics.breakerMoved(breaker)
      },
      watchKeys(provider, read) {
        healthOf(provider).countResting = read
        metrics.watchKeys(provider, read)
      },
      watchBreakers(provider, read) {
        healthOf(provider).listBreakers = read
        metrics.watchBreakers(provider, read)
      },
    },
    read(provider) {
      const { breaker, lastError, minutes, countResting, listBreakers } = healthOf(provider)
      const first = thisMinute() - MINUTES + 1
      const recent = minutes.filter(({ minute }) => minute >= first)
      const sum = (name: 'calls' | 'errors' | 'refusals') =>
        recent.reduce((total, counts) => total + counts[name], 0)
      return {
        breaker,
        breakers: listBreakers(),
        keysResting: countResting(),
        calls: sum('calls'),
        errors: sum('errors'),
        refusals: sum('refusals'),
        lastError,
      }
    },
  }
}
