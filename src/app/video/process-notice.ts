import { stageOf } from '../../domain/video/hand-over.ts'
import type { Snapshot } from '../../domain/video/snapshot.ts'
import { hasEnded } from '../../domain/video/task.ts'
import type { StoredTask, TaskStore } from '../../ports/tasks.ts'
import type { Reading } from '../../ports/video-driver.ts'
import { withDeadline } from '../jobs/deadline.ts'
import { firstSnapshot } from './accept-task.ts'
import { type ApplySnapshot, type ApplySnapshotTools, afterCommit, moveTo } from './apply-snapshot.ts'
import { encryptTicket, ticketOf } from './encrypted.ts'
import type { FindVendor } from './vendors.ts'

export interface NoticeRef {
  tokenDigest: string
  /** The vendor's ticket in the notice, used only for a task without a ticket. */
  ticket: string | undefined
}

/** After `signal` is aborted, the vendor's answer is not waited for. */
export type ProcessNotice = (notice: NoticeRef, signal: AbortSignal) => Promise<void>

export interface ProcessNoticeTools extends ApplySnapshotTools {
  tasks: Pick<TaskStore, 'findByNotice' | 'accept' | 'move'>
  applySnapshot: ApplySnapshot
  findVendor: FindVendor
  /** Delay of the first poll of a task that got its ticket from a notice. */
  sweepIntervalMs: number
}

/** Reads the task of a notice from its vendor. A notice can be forged, so it only triggers this read. */
export function processNotice(tools: ProcessNoticeTools): ProcessNotice {
  const { tasks, applySnapshot, findVendor, secrets, clock, log } = tools

  return async ({ tokenDigest, ticket: namedTicket }, signal) => {
    const task = await tasks.findByNotice(tokenDigest)
    if (task === undefined) return
    if (!hasEnded(task.status) && stageOf(task) === 'unanswered') {
      if (namedTicket !== undefined) await adopt(task, namedTicket, signal)
      return
    }
    if (hasEnded(task.status) && !wasGivenUp(task)) return
    const ticket = ticketOf(task, secrets)
    if (ticket === undefined) return logUnpaidVideo(task)
    const reading = await read(task, ticket, signal)
    if (reading?.kind === 'snapshot') await applySnapshot(task, reading.snapshot)
  }

  /** The task never got a ticket, but the vendor knows its token, so the vendor has made a video that no client pays for. */
  function logUnpaidVideo({ id: taskId, organizationId, provider }: StoredTask): void {
    const event = 'notice.for_given_up_task'
    log.warn(event, { taskId, organizationId, provider })
  }

  /** The create call has no answer yet, or its answer was lost. If the vendor knows the ticket, the task gets the ticket. */
  async function adopt(task: StoredTask, ticket: string, signal: AbortSignal): Promise<void> {
    const reading = await read(task, ticket, signal)
    if (reading?.kind === 'snapshot') await accept(task, ticket, reading.snapshot)
  }

  async function accept(task: StoredTask, ticket: string, snapshot: Snapshot): Promise<void> {
    const move = moveTo(task, firstSnapshot(task, snapshot), tools)
    const moved = await tasks.accept({
      move,
      encryptedTicket: encryptTicket(ticket, task.id, secrets),
      nextPollAtMs: clock.nowMs() + tools.sweepIntervalMs,
    })
    if (moved.kind === 'moved') {
      const { id: taskId, organizationId, provider } = task
      log.info('notice.adopted_task', { taskId, organizationId, provider })
      afterCommit(moved, move, tools)
    } else if (moved.kind === 'unchanged') {
      // Meanwhile the answer of the create call came after all, or the task was given up.
      await applySnapshot(moved.task, snapshot)
    }
  }

  async function read(task: StoredTask, ticket: string, signal: AbortSignal): Promise<Reading | undefined> {
    const { provider, organizationId } = task
    const vendor = findVendor(provider)
    const answer = vendor && (await withDeadline(vendor.driver.read(ticket, organizationId), { signal }))
    return answer?.value
  }
}

/** Whether the task failed without a report of the vendor. If the vendor succeeded, the log should show the loss. */
function wasGivenUp({ status, error }: StoredTask): boolean {
  return status === 'failed' && (error?.code === 'task_expired' || error?.code === 'upstream_error')
}
