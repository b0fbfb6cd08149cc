import { ApiError } from '../../domain/api-error.ts'
import { stageOf } from '../../domain/video/hand-over.ts'
import type { Snapshot } from '../../domain/video/snapshot.ts'
import { hasEnded } from '../../domain/video/task.ts'
import type { NewAudit } from '../../ports/audit.ts'
import type { StoredTask, TaskStore } from '../../ports/tasks.ts'
import type { VideoDriver } from '../../ports/video-driver.ts'
import type { PriceBook } from '../catalog/price-book.ts'
import type { Runtime } from '../runtime.ts'
import type { ApplySnapshot } from './apply-snapshot.ts'
import { ticketOf } from './encrypted.ts'
import type { FindVendor } from './vendors.ts'

export interface WithdrawTools extends Pick<Runtime, 'clock' | 'secrets'> {
  prices: Pick<PriceBook, 'findVideoModel'>
  findVendor: FindVendor
  applySnapshot: ApplySnapshot
  tasks: Pick<TaskStore, 'startAttempt'>
}

interface Withdrawal {
  /** Whether an ended task stays at the vendor, with its video. */
  keepsEnded?: boolean
  /** Audit row, written with the move to `cancelled`. */
  audit?: NewAudit
}

const CANCELLED: Snapshot = { status: 'cancelled', content: undefined, error: undefined, measured: {} }

/**
 * Asks the vendor to delete a task. The vendor's snapshot is read and applied first, so that an ended task is settled before
 * it is deleted. A running task is not deleted: a successful delete would mean that it ended in between, when its cost could
 * no longer be read.
 *
 *   ended, now or before                   the vendor deletes it, or it is kept there
 *   not ended, and the vendor deletes it   `cancelled`
 *   running, or the vendor refuses         400, and it stays unchanged
 *   the vendor does not answer             503, and it stays unchanged
 *   handed over, and not sent yet          `cancelled`
 *
 * A failure that is read here ends the task, because a task that is being deleted is not handed over.
 */
export function withdrawTask({ prices, findVendor, applySnapshot, tasks, secrets, clock }: WithdrawTools) {
  return withdraw

  async function withdraw(found: StoredTask, withdrawal: Withdrawal = {}): Promise<void> {
    const { keepsEnded = false, audit } = withdrawal
    if (prices.findVideoModel(found.servedModel, found.organizationId)?.family.canDelete === false)
      throw undeletable('Tasks of this model')
    if (!hasEnded(found.status) && stageOf(found) === 'waiting') return cancelUnsent(found, audit)
    const ticket = ticketOf(found, secrets)
    if (ticket === undefined) {
      if (hasEnded(found.status)) return
      throw unavailable(new Error('a ticket cannot be read'))
    }
    const driver = findVendor(found.provider)?.driver
    if (driver === undefined) throw new ApiError('provider_not_configured')
    if (driver.delete === undefined) throw undeletable('Tasks of this model')
    const task = hasEnded(found.status) ? found : await readAndApply(found, ticket, driver)
    // Another request has handed the task over, so it has another vendor now.
    if (task.attempt !== found.attempt) return withdraw(task, withdrawal)
    if (keepsEnded && hasEnded(task.status)) return
    const deletion = await driver.delete(ticket, found.organizationId)
    if (deletion.kind === 'unanswered') throw unavailable(deletion.cause)
    if (hasEnded(task.status)) return
    if (deletion.kind === 'refused') await expectEnd(task, ticket, driver)
    else {
      const after = await applySnapshot(task, CANCELLED, { audit })
      if (after !== undefined && after.attempt !== task.attempt) await withdraw(after, withdrawal)
    }
  }

  /** No vendor has the task. The claim keeps every sweep from sending it. */
  async function cancelUnsent(task: StoredTask, audit: NewAudit | undefined): Promise<void> {
    const { id, attempt } = task
    const nowMs = clock.nowMs()
    const start = { id, attempt, sentAtMs: nowMs, noticeTokenDigest: null, nextPollAtMs: nowMs }
    const claimed = await tasks.startAttempt(start)
    if (claimed === undefined) throw unavailable(new Error('the task is being sent to its next vendor'))
    await applySnapshot(claimed, CANCELLED, { audit })
  }

  /** When the vendor refuses, the task is running, or another request has cancelled it meanwhile. */
  async function expectEnd(task: StoredTask, ticket: string, driver: VideoDriver): Promise<void> {
    const now = await readAndApply(task, ticket, driver)
    if (!hasEnded(now.status)) throw undeletable('A running task')
  }

  /** A vendor that no longer knows the task does not prevent its deletion. */
  async function readAndApply(task: StoredTask, ticket: string, driver: VideoDriver): Promise<StoredTask> {
    const reading = await driver.read(ticket, task.organizationId)
    if (reading.kind === 'unanswered') throw unavailable(reading.cause)
    if (reading.kind === 'gone') return task
    const now = (await applySnapshot(task, reading.snapshot, { isFinal: true })) ?? task
    if (now.attempt !== task.attempt) return now
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
