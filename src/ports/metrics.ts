import type { Micros } from '../domain/billing/micros.ts'
import type { BreakerHealth } from './installation.ts'
import type { FinishedRequest } from './log.ts'
import type { TextFigures } from './usage.ts'

export interface PoolState {
  /** Connections or places in use, ready, and callers waiting for one. */
  busy: number
  idle: number
  waiting: number
}

export const CALLBACK_OUTCOMES = ['delivered', 'retried', 'given_up'] as const

export type CallbackOutcome = (typeof CALLBACK_OUTCOMES)[number]

/** Open work and money of the whole deployment. */
export interface StoreFigures {
  openTasks: Record<'submitting' | 'queued' | 'running', number>
  /** How long the task waits that should have been polled first; 0 where none is late. */
  latePollMs: number
  /** By what the money is held for. */
  holds: Record<'task' | 'allowance', { count: number; amountMicros: Micros }>
}

export interface Metrics {
  requestFinished(
    request: Pick<FinishedRequest, 'operation' | 'method' | 'status' | 'durationMs' | 'code'>,
  ): void
  requestShed(): void
  /**
   * `outcome`: a status class such as `2xx`, or how it failed: `forbidden`, `refused`, `timeout-first-byte`,
   * `timeout-idle`, `timeout-total`, `broken`, `aborted`, `stalled`, `too-large`, `breaker-open`, `busy`.
   */
  upstreamCallFinished(call: { provider: string; operation: string; outcome: string; seconds: number }): void
  breakerMoved(breaker: { provider: string; state: 'closed' | 'open' | 'half-open' }): void
  /** A shared limit could not be asked and was kept by this process alone. */
  limitKeptLocally(limit: 'rate' | 'day'): void
  /** What work cost and no balance could pay. */
  moneyLost(amountMicros: Micros): void
  /** An organization has reached the warning threshold of its budget. */
  budgetWarned(): void
  /** A model stood in for the one that was asked for. Both names are of the catalog. */
  fallbackServed(models: { asked: string; served: string }): void
  /** A target of a route served. Both names are of the catalog. */
  routeServed(models: { asked: string; served: string }): void
  /** Text was used and cost nothing, because its prices are zero. */
  usageFree(model: string): void
  /** A video cost more than was held for it. */
  holdExceeded(): void
  /** A vendor served a text request, as far as it came. The number of keys and models that are told apart is bounded. */
  textReplyEnded(keyId: string, usage: TextFigures): void
  /** A text request got an error of its vendor in place of a reply. */
  textRefused(refused: { model: string; provider: string; code: string; durationMs: number }): void
  /** A text request got an error in place of a reply that its vendor served, which `textReplyEnded` counts. */
  textReplyUnusable(unusable: { model: string; provider: string; code: string }): void
  /** `costMicros`: what was charged; 0 unless it succeeded. */
  taskEnded(task: { model: string; provider: string; status: string; costMicros: Micros }): void
  /** A stand-in gets a task that another vendor refused or failed. `reason`: a refusal reason, or the code of a failure. */
  taskHandedOver(task: { asked: string; served: string; reason: string }): void
  callbackAttempted(outcome: CallbackOutcome): void
  verificationEnded(result: 'granted' | 'denied'): void
  /** Usage rows that wait to be written now. */
  usageWaiting(rows: number): void
  /** An allowance whose replica never gave it back: at most that much was used and not written. */
  allowanceExpired(amountMicros: Micros): void
  /** Reads the pool each time the metrics are asked for. */
  watchPool(name: string, read: () => PoolState): void
  /** Reads the bytes of request bodies that are held, each time the metrics are asked for. */
  watchBodies(read: () => number): void
  /** Reads how many requests of known callers are being answered, each time the metrics are asked for. */
  watchInFlight(read: () => number): void
  /** Reads how many text replies are running, each time the metrics are asked for. */
  watchReplies(read: () => number): void
  /** Reads how many of them are streams, each time the metrics are asked for. */
  watchStreams(read: () => number): void
  /** Reads how many WebSocket connections are open, each time the metrics are asked for. */
  watchSockets(read: () => number): void
  /** Reads how many keys of a provider rest because it refused or limited them, each time the metrics are asked for. */
  watchKeys(provider: string, read: () => number): void
  /** Reads the breakers of a provider, for what shows more of them than the state of the worst. */
  watchBreakers(provider: string, read: () => readonly BreakerHealth[]): void
  /** What the store holds now, for all replicas. */
  storeCounted(figures: StoreFigures): void
  /** The Prometheus text format. */
  render(): Promise<{ contentType: string; body: string }>
}
