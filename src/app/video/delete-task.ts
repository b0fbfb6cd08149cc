import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { Snapshot } from '../../domain/video/snapshot.ts'
import { hasEnded } from '../../domain/video/task.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { StoredTask, TaskStore } from '../../ports/tasks.ts'
import type { VideoDriver } from '../../ports/video-driver.ts'
import type { PriceBook } from '../catalog/price-book.ts'
import type { ApplySnapshot } from './apply-snapshot.ts'
import { ticketOf } from './encrypted.ts'
import type { FindVendor } from './vendors.ts'

export type DeleteTask = (command: { id: string; caller: Caller }) => Promise<void>

const CANCELLED: Snapshot = { status: 'cancelled', content: undefined, error: undefined, measured: {} }

/**
 * First the vendor's snapshot of the task is read and applied: a task that has ended is settled before it goes. Then the
 * vendor is asked to delete it, unless it is running: a delete that succeeds then would mean that it ended in between,
 * and its cost could not be read any more.
 *
 *   ended, whether we had seen it or not   it is gone: neither list nor Get shows it any more
 *   not ended, and the vendor deletes it   `cancelled`; it leaves the list, Get still shows it so
 *   running, or the vendor refuses         400, and it stays as it is
 *   the vendor does not answer             503, and it stays as it is
 */
export function deleteTask({
  tasks,
  prices,
  findVendor,
  applySnapshot,
  secrets,
  clock,
}: {
  tasks: Pick<TaskStore, 'find' | 'remove'>
  prices: Pick<PriceBook, 'findVideoModel'>
  findVendor: FindVendor
  applySnapshot: ApplySnapshot
  secrets: Secrets
  clock: Clock
}): DeleteTask {
  return async ({ id, caller }) => {
    const { keyId } = caller
    const found = await tasks.find({ id, keyId })
    if (found === undefined || found.deletedAtMs !== null) throw new ApiError('task_not_found')
    if (prices.findVideoModel(found.model)?.family.canDelete === false)
      throw undeletable('Tasks of this model')
    const ticket = ticketOf(found, secrets)
    if (ticket === undefined && !hasEnded(found.status))
      throw unavailable(new Error('a ticket cannot be read'))
    if (ticket !== undefined) await deleteUpstream(found, ticket)
    const removed = await tasks.remove({ id, keyId, atMs: clock.nowMs() })
    // Of several who ask at once, one has deleted it. A step of its own, since all of them may have seen the same end.
    if (!removed) throw new ApiError('task_not_found')
  }

  async function deleteUpstream(found: StoredTask, ticket: string): Promise<void> {
    const driver = findVendor(found.provider)?.driver
    if (driver === undefined) throw new ApiError('provider_not_configured')
    if (driver.delete === undefined) throw undeletable('Tasks of this model')
    const task = hasEnded(found.status) ? found : await readAndTakeIn(found, ticket, driver)
    const deletion = await driver.delete(ticket, found.organizationId)
    if (deletion.kind === 'unanswered') throw unavailable(deletion.cause)
    if (hasEnded(task.status)) return
    if (deletion.kind === 'refused') await expectEnd(task, ticket, driver)
    else await applySnapshot(task, CANCELLED)
  }

  /** When the vendor refuses, the task is running, or has ended since we asked: another request may have cancelled it. */
  async function expectEnd(task: StoredTask, ticket: string, driver: VideoDriver): Promise<void> {
    const now = await readAndTakeIn(task, ticket, driver)
    if (!hasEnded(now.status)) throw undeletable('A running task')
  }

  /** A vendor that has no record of it any more has nothing against its deletion. */
  async function readAndTakeIn(task: StoredTask, ticket: string, driver: VideoDriver): Promise<StoredTask> {
    const reading = await driver.read(ticket, task.organizationId)
    if (reading.kind === 'unanswered') throw unavailable(reading.cause)
    if (reading.kind === 'gone') return task
    const now = (await applySnapshot(task, reading.snapshot)) ?? task
    if (!hasEnded(now.status) && reading.snapshot.status === 'running') throw undeletable('A running task')
    return now
  }
}

function undeletable(subject: string): ApiError {
  return new ApiError('task_not_deletable', { message: `${subject} cannot be deleted.` })
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('provider_unavailable', { cause })
}
