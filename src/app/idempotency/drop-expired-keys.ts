import type { AdminRequestStore } from '../../ports/admin-requests.ts'
import type { Clock } from '../../ports/clock.ts'
import type { KeptValueStore } from '../../ports/kept-values.ts'
import type { OperatorSessionStore } from '../../ports/operators.ts'
import type { RequestClaimStore } from '../../ports/request-claims.ts'
import type { TaskStore } from '../../ports/tasks.ts'

const PASS_KEYS_MAX = 5_000

/** Drops expired keys, sessions and kept replies in bounded batches, so that a stop never waits long. */
export function dropExpiredKeys(input: {
  tasks: Pick<TaskStore, 'dropExpiredKeys'>
  requestClaims: Pick<RequestClaimStore, 'dropExpired'>
  adminRequests: Pick<AdminRequestStore, 'dropExpired'>
  operatorSessions: Pick<OperatorSessionStore, 'dropExpired'>
  keptValues: Pick<KeptValueStore, 'dropExpired'>
  clock: Clock
}): () => Promise<void> {
  const { tasks, requestClaims, adminRequests, operatorSessions, keptValues, clock } = input
  return async () => {
    const pass = { nowMs: clock.nowMs(), limit: PASS_KEYS_MAX }
    await tasks.dropExpiredKeys(pass)
    await requestClaims.dropExpired(pass)
    await adminRequests.dropExpired(pass)
    await operatorSessions.dropExpired(pass)
    await keptValues.dropExpired(pass)
  }
}
