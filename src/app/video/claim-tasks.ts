import type { Clock, Pause } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { ClaimedTask, ClaimShare, More, StoredTask, TaskStore } from '../../ports/tasks.ts'

export interface ClaimTools {
  provider: string
  tasks: Pick<TaskStore, 'claimDue' | 'setAside' | 'setAsideNext'>
  /** Rejects while the store is unreachable. */
  ping(): Promise<void>
  clock: Clock
  pause: Pause
  log: Log
  leaseMs: number
}

/** Claims due tasks of one provider. Rejects when the store cannot be asked. */
export type ClaimTasks = (room: {
  limit: number
  share: ClaimShare
}) => Promise<{ tasks: ClaimedTask[]; claimedAtMs: number; more: More }>

/** So often a claim of one fails, while the store answers, before its task is set aside. */
const TRIES_OF_ONE = 3
/** Longer than a store needs to start its writer again. */
const BEFORE_PING_MS = 500

/**
 * A row that ends its reader must not stop the sweep of all the others. A claim that fails is followed by one of
 * half the size, down to one task; when that fails too, while the store answers, the task is set aside.
 *
 *   all -> half -> ... -> one -> set aside -> one -> two -> ... -> all
 */
export function claimTasks({ provider, tasks, ping, clock, pause, log, leaseMs }: ClaimTools): ClaimTasks {
  let sizeMax = Number.POSITIVE_INFINITY
  let failuresOfOne = 0

  return async ({ limit, share }) => {
    const size = Math.min(limit, sizeMax)
    const nowMs = clock.nowMs()
    const claim = { provider, nowMs, leaseUntilMs: nowMs + leaseMs, limit: size, share }
    const claimed = await tasks.claimDue(claim).catch(async (error: unknown) => {
      sizeMax = Math.max(1, Math.floor(size / 2))
      if (size === 1) await judgeOne(share)
      throw error
    })
    failuresOfOne = 0
    sizeMax = size < limit ? 2 * size : Number.POSITIVE_INFINITY
    for (const task of claimed.unreadable) await setAside(task)
    return { tasks: claimed.tasks, claimedAtMs: nowMs, more: claimed.more ?? (size < limit ? '' : undefined) }
  }

  async function judgeOne(share: ClaimShare): Promise<void> {
    await pause(BEFORE_PING_MS)
    const isStoreUp = await ping().then(
      () => true,
      () => false,
    )
    failuresOfOne = isStoreUp ? failuresOfOne + 1 : 0
    if (failuresOfOne < TRIES_OF_ONE) return
    failuresOfOne = 0
    const task = await tasks.setAsideNext({ provider, nowMs: clock.nowMs(), share })
    if (task !== undefined) report(task, 'no claim of it succeeds')
  }

  async function setAside(task: Pick<StoredTask, 'id' | 'organizationId'>): Promise<void> {
    await tasks.setAside({ id: task.id, atMs: clock.nowMs() })
    report(task, 'its row is too long or damaged')
  }

  function report({ id, organizationId }: Pick<StoredTask, 'id' | 'organizationId'>, reason: string): void {
    const event = 'task.set_aside'
    log.error(event, { taskId: id, organizationId, provider, reason })
  }
}
