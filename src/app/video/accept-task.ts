import { isVendorsFailure } from '../../domain/video/hand-over.ts'
import type { Snapshot } from '../../domain/video/snapshot.ts'
import type { Moved, StoredTask, TaskStore, TaskWithContent } from '../../ports/tasks.ts'
import type { Submission } from '../../ports/video-driver.ts'
import type { WriteRetries } from '../waiting/retry-write.ts'
import { type ApplySnapshotTools, afterCommit, moveTo } from './apply-snapshot.ts'
import type { DraftSettings } from './draft-task.ts'
import { encryptTicket, ticketOf } from './encrypted.ts'

export interface AcceptTools extends Omit<ApplySnapshotTools, 'tasks'> {
  tasks: Pick<TaskStore, 'accept'>
  retries: WriteRetries
  settings: DraftSettings & {
    firstPollAfterMs: number
  }
}

/** Status of a task whose vendor only returned a ticket. */
const QUEUED: Snapshot = { status: 'queued', content: undefined, error: undefined, measured: {} }

/**
 * Stores the vendor's ticket, without which the task could never be found again. While the store is unreachable, the write
 * is repeated for as long as the task may wait for its answer.
 */
export async function acceptTask(
  task: Pick<StoredTask, 'id' | 'attempt' | 'standIns' | 'pricing' | 'expiresAtMs'>,
  { ticket, snapshot }: Extract<Submission, { kind: 'accepted' }>,
  tools: AcceptTools,
): Promise<TaskWithContent> {
  const { tasks, retries, secrets, clock, settings } = tools
  const answer = {
    move: moveTo(task, firstSnapshot(task, snapshot), tools),
    encryptedTicket: encryptTicket(ticket, task.id, secrets),
    nextPollAtMs: Math.min(clock.nowMs() + settings.firstPollAfterMs, task.expiresAtMs),
  }
  const accept = async () => {
    const moved = await tasks.accept(answer)
    if (moved.kind === 'moved') afterCommit(moved, answer.move, tools)
    else warnUnlessTaken(moved, ticket, tools)
    return moved
  }
  const moved = await retries.retryUntilStored(accept, {
    taskId: task.id,
    forMs: settings.submittingResolveSeconds * 1_000,
  })
  if (moved.kind === 'no-task') throw new Error('an accepted task is not in the store')
  return moved.task
}

/** Returns `queued` for a failure after which a stand-in may take over: the first poll then hands the task over. */
export function firstSnapshot(task: Pick<StoredTask, 'standIns'>, snapshot: Snapshot = QUEUED): Snapshot {
  const { standIns } = task
  return standIns.length > 0 && isVendorsFailure(snapshot) ? QUEUED : snapshot
}

/** Logs that a task was given up before its answer came, unless an earlier try stored the ticket. The video is a loss. */
function warnUnlessTaken(moved: Exclude<Moved, { kind: 'moved' }>, ticket: string, tools: AcceptTools): void {
  const { secrets, log } = tools
  if (moved.kind === 'no-task' || ticketOf(moved.task, secrets) === ticket) return
  const { id, organizationId, provider } = moved.task
  log.error('task.accepted_late', { taskId: id, organizationId, provider })
}
