import type { FinishedRequest } from './finished-request.ts'

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
   * `timeout-idle`, `timeout-total`, `broken`, `aborted`, `too-large`, `breaker-open`, `busy`.
   */
  upstreamCallFinished(call: { provider: string; operation: string; outcome: string; seconds: number }): void
  breakerMoved(breaker: { provider: string; state: 'closed' | 'open' | 'half-open' }): void
  /** Reads the pool each time the metrics are asked for. */
  watchPool(name: string, read: () => PoolState): void
  /** The Prometheus text format. */
  render(): Promise<{ contentType: string; body: string }>
}
