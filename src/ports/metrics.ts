import type { Micros } from '../domain/billing/micros.ts'
import type { FinishedRequest } from './log.ts'

export interface PoolState {
  /** Connections or places in use, ready, and callers waiting for one. */
  busy: number
  idle: number
  waiting: number
}

export interface Metrics {
  requestFinished(request: Pick<FinishedRequest, 'operation' | 'method' | 'status' | 'durationMs'>): void
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
  /** A text request that reached a vendor is over. The number of keys that it names is bounded. */
  textReplyEnded(keyId: string, isHungUp: boolean): void
  /** Usage rows that wait to be written now. */
  usageWaiting(rows: number): void
  /** An allowance whose replica never gave it back: at most that much was used and not written. */
  allowanceExpired(amountMicros: Micros): void
  /** Reads the pool each time the metrics are asked for. */
  watchPool(name: string, read: () => PoolState): void
  /** Reads the bytes of request bodies that are held, each time the metrics are asked for. */
  watchBodies(read: () => number): void
  /** The Prometheus text format. */
  render(): Promise<{ contentType: string; body: string }>
}
