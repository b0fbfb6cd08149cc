import type { Micros } from '../domain/billing/micros.ts'
import type { BreakerHealth } from './installation.ts'
import type { FinishedRequest } from './log.ts'
import type { TextFigures } from './usage.ts'

export interface PoolState {
  /** Used, ready and awaited connections or slots. */
  busy: number
  idle: number
  waiting: number
}

export const CALLBACK_OUTCOMES = ['delivered', 'retried', 'given_up'] as const

export type CallbackOutcomeLabel = (typeof CALLBACK_OUTCOMES)[number]

/** Open work and money of the whole deployment. */
export interface StoreFigures {
  openTasks: Record<'submitting' | 'queued' | 'running', number>
  /** Delay of the most overdue poll; 0 where none is late. */
  latePollMs: number
  /** Holds by their kind. */
  holds: Record<'task' | 'allowance', { count: number; amountMicros: Micros }>
}

export interface Metrics {
  requestFinished(
    request: Pick<FinishedRequest, 'operation' | 'method' | 'status' | 'durationMs' | 'code'>,
  ): void
  requestShed(): void
  /**
   * `outcome` is a status class such as `2xx`, or the kind of failure: `forbidden`, `refused`, `timeout-first-byte`,
   * `timeout-idle`, `timeout-total`, `broken`, `aborted`, `stalled`, `too-large`, `breaker-open`, `busy`.
   */
  upstreamCallFinished(call: { provider: string; operation: string; outcome: string; seconds: number }): void
  breakerMoved(breaker: { provider: string; state: 'closed' | 'open' | 'half-open' }): void
  /** Counts a decision about a shared limit that this process made alone. */
  limitKeptLocally(limit: 'rate' | 'day'): void
  /** Counts the cost of work that no balance could pay. */
  moneyLost(amountMicros: Micros): void
  budgetWarned(): void
  /** Counts a reply of a fallback. Both names are of the catalog. */
  fallbackServed(models: { asked: string; served: string }): void
  /** Counts a reply of a route's target. Both names are of the catalog. */
  routeServed(models: { asked: string; served: string }): void
  /** Counts text that cost nothing, because its prices are zero. */
  usageFree(model: string): void
  /** Counts a video that cost more than its hold. */
  holdExceeded(): void
  /** Counts a served text reply, as far as it came. The number of distinct keys and models is bounded. */
  textReplyEnded(keyId: string, usage: TextFigures): void
  /** Counts a text request that got an error of its vendor in place of a reply. */
  textRefused(refused: { model: string; provider: string; code: string; durationMs: number }): void
  /** Counts an error in place of a reply that its vendor served, which `textReplyEnded` counts too. */
  textReplyUnusable(unusable: { model: string; provider: string; code: string }): void
  /** `costMicros` is the charge; 0 unless it succeeded. */
  taskEnded(task: { model: string; provider: string; status: string; costMicros: Micros }): void
  /** Counts a task that a stand-in takes over. `reason`: a refusal reason, or the code of a failure. */
  taskHandedOver(task: { asked: string; served: string; reason: string }): void
  callbackAttempted(outcome: CallbackOutcomeLabel): void
  verificationEnded(result: 'granted' | 'denied'): void
  usageWaiting(rows: number): void
  /** Counts an allowance that its replica never returned: at most that much was used and not written. */
  allowanceExpired(amountMicros: Micros): void
  /** Reads the pool each time the metrics are rendered, as do the other `watch` methods. */
  watchPool(name: string, read: () => PoolState): void
  /** Reads the bytes of request bodies in memory. */
  watchBodies(read: () => number): void
  /** Reads the number of requests of known callers in progress. */
  watchInFlight(read: () => number): void
  watchReplies(read: () => number): void
  watchStreams(read: () => number): void
  /** Reads the number of open WebSocket connections. */
  watchSockets(read: () => number): void
  /** Reads the number of keys of a provider that rest because the provider refused or limited them. */
  watchKeys(provider: string, read: () => number): void
  /** Reads the breakers of a provider, for views that show more than the worst state. */
  watchBreakers(provider: string, read: () => readonly BreakerHealth[]): void
  /** Sets the figures of the store, for all replicas. */
  storeCounted(figures: StoreFigures): void
  /** Renders the Prometheus text format. */
  render(): Promise<{ contentType: string; body: string }>
}
