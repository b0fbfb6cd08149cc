import type { Snapshot } from '../../domain/video/snapshot.ts'
import { hasEnded } from '../../domain/video/task.ts'
import type { StoredTask, TaskStore } from '../../ports/tasks.ts'
import type { Reading } from '../../ports/video-driver.ts'
import { settledFirst } from '../waiting/settled-first.ts'
import { sealTicket, ticketOf } from './sealed.ts'
import { follow, moveTo, type TakeIn, type TakeInTools } from './take-in.ts'
import type { FindVendor } from './vendors.ts'

/** What a notice says, as far as it is listened to. */
export interface NoticeHint {
  tokenDigest: string
  /** The vendor's handle as the notice has it. It is only used for a task that has none yet. */
  ticket: string | undefined
}

/** When the signal is aborted, the vendor's answer is not waited for. */
export type ReadBack = (hint: NoticeHint, signal: AbortSignal) => Promise<void>

export interface ReadBackTools extends TakeInTools {
  tasks: Pick<TaskStore, 'findByNotice' | 'accept' | 'move'>
  takeIn: TakeIn
  findVendor: FindVendor
  /** When the sweep looks at an adopted task first. */
  sweepIntervalMs: number
}

/**
 * Follows a notice up. Anybody can send one, so it is believed in one thing only: that now is a good moment to read
 * the task from the vendor.
 */
export function readBack(tools: ReadBackTools): ReadBack {
  const { tasks, takeIn, findVendor, secrets, clock, log } = tools

  return async ({ tokenDigest, ticket: hintedTicket }, signal) => {
    const task = await tasks.findByNotice(tokenDigest)
    if (task === undefined) return
    if (task.status === 'submitting') {
      if (hintedTicket !== undefined) await adopt(task, hintedTicket, signal)
      return
    }
    if (hasEnded(task.status) && !wasGivenUp(task)) return
    const ticket = ticketOf(task, secrets)
    if (ticket === undefined) return tellOfOrphan(task)
    const reading = await read(task, ticket, signal)
    if (reading?.kind === 'snapshot') await takeIn(task, reading.snapshot)
  }

  /** It never got a ticket, and yet the vendor knows its token: the vendor has made what nobody will pay for. */
  function tellOfOrphan({ id: taskId, organizationId, provider }: StoredTask): void {
    const event = 'a notice came for a task whose answer was lost and that was given up'
    log.warn(event, { taskId, organizationId, provider })
  }

  /** The answer to its create call was lost, or is still under way; the vendor knows the ticket, so the task was made. */
  async function adopt(task: StoredTask, ticket: string, signal: AbortSignal): Promise<void> {
    const reading = await read(task, ticket, signal)
    if (reading?.kind === 'snapshot') await accept(task, ticket, reading.snapshot)
  }

  async function accept(task: StoredTask, ticket: string, snapshot: Snapshot): Promise<void> {
    const moved = await tasks.accept({
      move: moveTo(task, snapshot, tools),
      sealedTicket: sealTicket(ticket, task.id, secrets),
      nextPollAtMs: clock.nowMs() + tools.sweepIntervalMs,
    })
    if (moved.kind === 'moved') {
      const { id: taskId, organizationId, provider } = task
      log.info('a notice adopted a task that had no answer yet', { taskId, organizationId, provider })
      follow(moved, tools)
    } else if (moved.kind === 'unchanged') {
      // Meanwhile its answer came after all, or it was given up.
      await takeIn(moved.task, snapshot)
    }
  }

  async function read(
    { provider, organizationId }: StoredTask,
    ticket: string,
    signal: AbortSignal,
  ): Promise<Reading | undefined> {
    const vendor = findVendor(provider)
    return vendor && settledFirst(vendor.driver.read(ticket, organizationId), signal)
  }
}

/** Failed without the vendor's word: if it did succeed there, that is a loss somebody should see in the log. */
function wasGivenUp({ status, error }: StoredTask): boolean {
  return status === 'failed' && (error?.code === 'task_expired' || error?.code === 'upstream_error')
}
