import type { Clock } from '../../ports/clock.ts'
import type { ProviderHealth } from '../../ports/installation.ts'
import type { Metrics } from '../../ports/metrics.ts'

const MINUTE_MS = 60_000
const MINUTES = 5

interface Seen extends Pick<ProviderHealth, 'breaker' | 'lastError'> {
  /** A ring of minutes; each entry belongs to the minute that it names. */
  minutes: { minute: number; calls: number; errors: number; refusals: number }[]
  countResting(): number
  listBreakers(): ProviderHealth['breakers']
}

/** Stands before the metrics and keeps a little of what they are told, by provider. */
export function watchProviderHealth(
  metrics: Metrics,
  clock: Clock,
): { metrics: Metrics; read(provider: string): ProviderHealth } {
  const providers = new Map<string, Seen>()

  function seenOf(provider: string): Seen {
    let seen = providers.get(provider)
    if (seen === undefined) {
      const minutes = Array.from({ length: MINUTES }, () => ({
        minute: -1,
        calls: 0,
        errors: 0,
        refusals: 0,
      }))
      seen = { breaker: 'closed', lastError: null, minutes, countResting: () => 0, listBreakers: () => [] }
      providers.set(provider, seen)
    }
    return seen
  }

  const thisMinute = () => Math.floor(clock.monotonicMs() / MINUTE_MS)

  function note({ provider, operation, outcome }: Parameters<Metrics['upstreamCallFinished']>[0]): void {
    const seen = seenOf(provider)
    const minute = thisMinute()
    const counts = seen.minutes[minute % MINUTES]
    if (counts === undefined) return
    if (counts.minute !== minute) Object.assign(counts, { minute, calls: 0, errors: 0, refusals: 0 })
    counts.calls += 1
    if (outcome === '2xx' || outcome === '3xx' || outcome === 'aborted') return
    if (outcome === '4xx') counts.refusals += 1
    else counts.errors += 1
    // The breaker refused the call: what its provider did last is why.
    if (outcome === 'breaker-open') return
    seen.lastError = { atMs: clock.nowMs(), operation, outcome }
  }

  return {
    metrics: {
      ...metrics,
      upstreamCallFinished(call) {
        note(call)
        metrics.upstreamCallFinished(call)
      },
      breakerMoved(breaker) {
        seenOf(breaker.provider).breaker = breaker.state
        metrics.breakerMoved(breaker)
      },
      watchKeys(provider, read) {
        seenOf(provider).countResting = read
        metrics.watchKeys(provider, read)
      },
      watchBreakers(provider, read) {
        seenOf(provider).listBreakers = read
        metrics.watchBreakers(provider, read)
      },
    },
    read(provider) {
      const { breaker, lastError, minutes, countResting, listBreakers } = seenOf(provider)
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
