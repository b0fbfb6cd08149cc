import { ApiError } from '../../domain/api-error.ts'
import type { Snapshot } from '../../domain/video/snapshot.ts'
import { hasEnded } from '../../domain/video/task.ts'
import type { NewAudit } from '../../ports/audit.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { StoredTask } from '../../ports/tasks.ts'
import type { VideoDriver } from '../../ports/video-driver.ts'
import type { PriceBook } from '../catalog/price-book.ts'
import type { ApplySnapshot } from './apply-snapshot.ts'
import { ticketOf } from './encrypted.ts'
import type { FindVendor } from './vendors.ts'

export interface WithdrawTools {
  prices: Pick<PriceBook, 'findVideoModel'>
  findVendor: FindVendor
  applySnapshot: ApplySnapshot
  secrets: Secrets
}

interface Withdrawal {
  /** A task that has ended stays at the vendor, with its video. */
  keepsEnded?: boolean
  /** Written with the move to `cancelled`. */
  audit?: NewAudit
}

const CANCELLED: Snapshot = { status: 'cancelled', content: undefined, error: undefined, measured: {} }

/**
 * Has the vendor delete a task. First the vendor's snapshot of it is read and applied: a task that has ended is settled
 * before it goes. Then the vendor is asked, unless it is running: a delete that succeeds then would mean that it ended in
 * between, and its cost could not be read any more.
 *
 *   ended, whether we had seen it or not   the vendor deletes it, or it is kept there
 *   not ended, and the vendor deletes it   `cancelled`
 *   running, or the vendor refuses         400, and it stays as it is
 *   the vendor does not answer             503, and it stays as it is
 */
export function withdrawTask({ prices, findVendor, applySnapshot, secrets }: WithdrawTools) {
  return async (found: StoredTask, { keepsEnded = false, audit }: Withdrawal = {}): Promise<void> => {
    if (prices.findVideoModel(found.servedModel)?.family.canDelete === false)
      throw undeletable('Tasks of this model')
    const ticket = ticketOf(found, secrets)
    if (ticket === undefined) {
      if (hasEnded(found.status)) return
      throw unavailable(new Error('a ticket cannot be read'))
    }
    const driver = findVendor(found.provider)?.driver
    if (driver === undefined) throw new ApiError('provider_not_configured')
    if (driver.delete === undefined) throw undeletable('Tasks of this model')
    const task = hasEnded(found.status) ? found : await readAndTakeIn(found, ticket, driver)
    if (keepsEnded && hasEnded(task.status)) return
    const deletion = await driver.delete(ticket, found.organizationId)
    if (deletion.kind === 'unanswered') throw unavailable(deletion.cause)
    if (hasEnded(task.status)) return
    if (deletion.kind === 'refused') await expectEnd(task, ticket, driver)
    else await applySnapshot(task, CANCELLED, audit)
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
