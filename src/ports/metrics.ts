import type { Micros } from '../domain/billing/micros.ts'
import type { BreakerHealth } from './installation.ts'
import type { FinishedRequest } from './log.ts'
import type { TextFigures } from './usage.ts'

export interface PoolState {
  /** Connections or slots in use, ready, and awaited. */
  busy: number
  idle: number
  waiting: number
}

export const CALLBACK_OUTCOMES = ['delivered', 'retried', 'given_up'] as const

export type CallbackOutcomeLabel = (typeof CALLBACK_OUTCOMES)[number]

export interface StoreFigures {
  openTasks: Record<'submitting' | 'queued' | 'running', number>
  /** Delay of the most overdue poll; 0: no poll is late. */
  latePollMs: number
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
  moneyLost(amountMicros: Micros): void
  budgetWarned(): void
  /** Counts a reply of a fallback. Both names are catalog names. */
  fallbackServed(models: { asked: string; served: string }): void
  /** Counts a reply of a route's target. Both names are catalog names. */
  routeServed(models: { asked: string; served: string }): void
  /** Counts text that was free because its prices are zero. */
  usageFree(model: string): void
  holdExceeded(): void
  /** Counts a text reply, complete or not. The number of distinct keys and models is bounded. */
  textReplyEnded(keyId: string, usage: TextFigures): void
  /** Counts a text request for which the vendor sent an error instead of a reply. */
  textRefused(
    refused: Pick<TextFigures, 'operation' | 'model' | 'provider' | 'durationMs'> & { code: string },
  ): void
  /** Counts a vendor's reply that became an error. `textReplyEnded` counts the same reply. */
  textReplyUnusable(unusable: { model: string; provider: string; code: string }): void
  /** `costMicros` is the charge; 0 unless the task succeeded. */
  taskEnded(task: { model: string; provider: string; status: string; costMicros: Micros }): void
  /** Counts a task that a stand-in takes over. `reason` is a refusal reason, or the code of a failure. */
  taskHandedOver(task: { asked: string; served: string; reason: string }): void
  callbackAttempted(outcome: CallbackOutcomeLabel): void
  verificationEnded(result: 'granted' | 'denied'): void
  usageWaiting(rows: number): void
  /** Counts an allowance that its replica never returned. At most this amount was spent without being written. */
  allowanceExpired(amountMicros: Micros): void
  /** Reads the pool whenever the metrics are rendered, like the other `watch` methods. */
  watchPool(name: string, read: () => PoolState): void
  watchBodies(read: () => number): void
  watchInFlight(read: () => number): void
  watchReplies(read: () => number): void
  watchStreams(read: () => number): void
  watchSockets(read: () => number): void
  /** Reads the number of keys that rest because the provider refused or limited them. */
  watchKeys(provider: string, read: () => number): void
  /** Reads the breakers of a provider, for views that show more than the worst state. */
  watchBreakers(provider: string, read: () => readonly BreakerHealth[]): void
  storeCounted(figures: StoreFigures): void
  render(): Promise<{ contentType: string; body: string }>
}
