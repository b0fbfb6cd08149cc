import type { Metrics } from '../src/ports/metrics.ts'

/** Metrics that record nothing, except where a test replaces one. */
export function silentMetrics(replaced: Partial<Metrics> = {}): Metrics {
  return {
    requestFinished() {},
    requestShed() {},
    upstreamCallFinished() {},
    breakerMoved() {},
    limitKeptLocally() {},
    moneyLost() {},
    budgetWarned() {},
    fallbackServed() {},
    routeServed() {},
    usageFree() {},
    holdExceeded() {},
    textReplyEnded() {},
    textRefused() {},
    textReplyUnusable() {},
    taskEnded() {},
    taskHandedOver() {},
    callbackAttempted() {},
    verificationEnded() {},
    watchInFlight() {},
    watchReplies() {},
    watchStreams() {},
    watchSockets() {},
    watchKeys() {},
    watchBreakers() {},
    storeCounted() {},
    usageWaiting() {},
    allowanceExpired() {},
    watchPool() {},
    watchBodies() {},
    render: async () => ({ contentType: 'text/plain', body: '' }),
    ...replaced,
  }
}

export const SILENT_METRICS = silentMetrics()
