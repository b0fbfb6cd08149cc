import type { ClaimedTask, ClaimShare, More, StoredTask, TaskStore } from '../../ports/tasks.ts'
import type { Runtime } from '../runtime.ts'

export interface ClaimTools extends Pick<Runtime, 'clock' | 'log' | 'pause'> {
  provider: string
  tasks: Pick<TaskStore, 'claimDue' | 'setAside' | 'putOffNext'>
  /** Rejects while the store is unreachable. */
  ping(): Promise<void>
  leaseMs: number
}

/** Claims due tasks of one provider. Rejects when the store is unreachable. */
export type ClaimTasks = (room: {
  limit: number
  share: ClaimShare
}) => Promise<{ tasks: ClaimedTask[]; claimedAtMs: number; more: More }>

/** A task whose claim fails is postponed, and set aside after this many failures while other claims succeeded. */
const FAILURES_MAX = 5
const PUT_OFF_MS = 10_000
/** Maximum suspects: an outage can make every due task a suspect. */
const SUSPECTS_MAX = 1_000
/** Longer than a store needs to start its writer again. */
const BEFORE_PING_MS = 500

/**
 * A row that crashes its reader must not stop the sweep of all other rows. A failed claim is followed by a claim of half
 * the size, down to one task. If the claim of one task fails while the store is reachable, the task is postponed, and
 * finally set aside. A connection that breaks now and then also makes claims fail, but not always of the same task.
 *
 *   all -> half -> ... -> one -> put off | set aside -> one -> two -> ... -> all
 */
export function claimTasks({ provider, tasks, ping, clock, pause, log, leaseMs }: ClaimTools): ClaimTasks {
  let sizeMax = Number.POSITIVE_INFINITY
  let successes = 0
  /** Tasks whose last claim failed: the failures in a row, and the value of `successes` at the last failure. */
  const suspects = new Map<string, { failures: number; successes: number }>()

  return async ({ limit, share }) => {
    const size = Math.min(limit, sizeMax)
    const nowMs = clock.nowMs()
    const claim = { provider, nowMs, leaseUntilMs: nowMs + leaseMs, limit: size, share }
    const claimed = await tasks.claimDue(claim).catch(async (error: unknown) => {
      sizeMax = Math.max(1, Math.floor(size / 2))
      if (size === 1) await postponeSuspect(share)
      throw error
    })
    successes += 1
    if (suspects.size > 0) for (const { id } of claimed.tasks) suspects.delete(id)
    sizeMax = size < limit ? 2 * size : Number.POSITIVE_INFINITY
    for (const task of claimed.unreadable) await setAside(task, 'its row is too long or damaged')
    return { tasks: claimed.tasks, claimedAtMs: nowMs, more: claimed.more ?? (size < limit ? '' : undefined) }
  }

  async function postponeSuspect(share: ClaimShare): Promise<void> {
    await pause(BEFORE_PING_MS)
    const isStoreUp = await ping().then(
      () => true,
      () => false,
    )
    if (!isStoreUp) return
    const nowMs = clock.nowMs()
    const task = await tasks.putOffNext({ provider, nowMs, untilMs: nowMs + PUT_OFF_MS, share })
    if (task === undefined) return
    const known = suspects.get(task.id)
    // While all claims fail, a failure says nothing about its task.
    if (known?.successes === successes) return
    const failures = (known?.failures ?? 0) + 1
    suspects.delete(task.id)
    if (failures >= FAILURES_MAX) return await setAside(task, 'no claim of it succeeds')
    if (suspects.size >= SUSPECTS_MAX) suspects.clear()
    suspects.set(task.id, { failures, successes })
  }

  async function setAside(
    { id, organizationId }: Pick<StoredTask, 'id' | 'organizationId'>,
    reason: string,
  ): Promise<void> {
    await tasks.setAside({ id, atMs: clock.nowMs() })
    log.error('task.set_aside', { taskId: id, organizationId, provider, reason })
  }
}
