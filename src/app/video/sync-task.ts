import type { Snapshot } from '../../domain/video/snapshot.ts'
import { hasEnded } from '../../domain/video/task.ts'
import type { StoredTask, TaskWithContent, WholeTask } from '../../ports/tasks.ts'
import { SingleFlight } from '../jobs/single-flight.ts'
import type { Runtime } from '../runtime.ts'
import type { ApplySnapshot } from './apply-snapshot.ts'
import { encryptContent, ticketOf } from './encrypted.ts'
import type { FindVendor, Vendor } from './vendors.ts'

/** Reads the current state of a task from its vendor. Without an answer in time, the stored task is returned. */
export type SyncTask = (task: WholeTask) => Promise<WholeTask>

/** Shorter than a client's timeout, and than the longest answer of a vendor. */
const PATIENCE_MS = 10_000
/** Links live for about a day. A stored link is replaced after this time, because callbacks that are sent again contain it. */
const LINK_KEPT_MS = 3_600_000

/** Requests for one task share one call to its vendor. A request that waited long enough gets the stored state. */
export function syncTask(
  tools: Pick<Runtime, 'clock' | 'log' | 'secrets'> & {
    findVendor: FindVendor
    applySnapshot: ApplySnapshot
    patienceMs?: number
  },
): SyncTask {
  const { findVendor, applySnapshot, secrets, clock, log, patienceMs = PATIENCE_MS } = tools
  const withFreshLink = freshLinkFor({ secrets, clock })
  const calls = new SingleFlight<TaskWithContent | undefined>()

  return async (task) => {
    const ticket = ticketOf(task, secrets)
    const vendor = findVendor(task.provider)
    if (!isWorthAsking(task) || ticket === undefined || vendor === undefined) return task
    const after = await calls.runWithin(task.id, patienceMs, () => read(task, ticket, vendor))
    return after === undefined ? task : { ...task, ...after }
  }

  /** A failed poll says nothing about the task. */
  async function read(
    task: StoredTask,
    ticket: string,
    { driver }: Vendor,
  ): Promise<TaskWithContent | undefined> {
    try {
      const reading = await driver.read(ticket, task.organizationId)
      if (reading.kind !== 'snapshot') return undefined
      return withFreshLink(task, reading.snapshot) ?? (await applySnapshot(task, reading.snapshot))
    } catch (error) {
      log.warn('task.sync_failed', { taskId: task.id, provider: task.provider, error })
      return undefined
    }
  }
}

/** A new link to the same video is not stored while the stored one is young, so that reading a task writes nothing. */
function freshLinkFor({ secrets, clock }: Pick<Runtime, 'clock' | 'secrets'>) {
  return (task: StoredTask, { status, content }: Snapshot): TaskWithContent | undefined => {
    if (task.status !== 'succeeded' || status !== 'succeeded' || content === undefined) return undefined
    if (clock.nowMs() - (task.updatedAtMs ?? 0) > LINK_KEPT_MS) return undefined
    return { ...task, encryptedContent: encryptContent(content, task.id, secrets) }
  }
}

/** A succeeded task is read again for a fresh link, unless its result is withheld. Other ended tasks cannot change. */
function isWorthAsking({ status, withheldAtMs }: StoredTask): boolean {
  return !hasEnded(status) || (status === 'succeeded' && withheldAtMs === null)
}
