import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import { hasEnded } from '../../domain/video/task.ts'
import type { Log, LogFields } from '../../ports/log.ts'
import type { ReceiptStore } from '../../ports/receipts.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import type { UsageReportStore } from '../../ports/usage-reports.ts'
import type { AppendReceipt } from './append-receipt.ts'
import { writeRevocation, writeTaskReceipt, writeTextReceipt } from './write-receipt.ts'

/** The flattened JWS of a receipt, as JSON. */
export type GetTaskReceipt = (question: { id: string; caller: Pick<Caller, 'keyId'> }) => Promise<string>
export type GetTextReceipt = (question: {
  requestId: string
  caller: Pick<Caller, 'organizationId'>
}) => Promise<string>

/** Like the task itself a receipt is for the key that made it. It stays when the task is deleted or dropped. */
export function getTaskReceipt({
  receipts,
  tasks,
  append,
}: {
  receipts: Pick<ReceiptStore, 'find' | 'findTask'>
  tasks: Pick<TaskStore, 'find'>
  append: AppendReceipt
}): GetTaskReceipt {
  return async ({ id, caller: { keyId } }) => {
    const made = await receipts.find(id)
    if (made !== undefined && made.keyId === keyId && id.startsWith('task_')) return made.jws
    const task = await tasks.find({ id, keyId })
    if (task === undefined) throw new ApiError('task_not_found')
    if (!hasEnded(task.status)) throw new ApiError('receipt_not_ready')
    return (await makeTaskReceipt(id, { receipts, append })).jws
  }
}

/**
 * The receipt of a text request is made when a client first asks for it: most are never asked for. The entry of a
 * revocation is found by the group of the person.
 */
export function getTextReceipt({
  receipts,
  usageReports,
  append,
}: {
  receipts: Pick<ReceiptStore, 'find'>
  usageReports: Pick<UsageReportStore, 'findText'>
  append: AppendReceipt
}): GetTextReceipt {
  return async ({ requestId, caller: { organizationId } }) => {
    const entry = requestId.startsWith('group_') ? await receipts.find(requestId) : undefined
    if (entry?.organizationId === organizationId) return entry.jws
    const charge = await usageReports.findText(requestId)
    if (charge === undefined || charge.organizationId !== organizationId)
      throw new ApiError('not_found', { message: 'Nothing was charged for a request with this id.' })
    const { id, keyId } = charge
    const made = await append({ id, organizationId, keyId }, (place) => writeTextReceipt(charge, place))
    return made.jws
  }
}

const AT_ONCE = 50

/**
 * Makes the entries of revocations, the oldest first, and the receipts of tasks that have ended, in the order of the tasks'
 * ids. One that fails does not stop the others.
 */
export function makeOwedReceipts({
  receipts,
  append,
  log,
}: {
  receipts: Pick<ReceiptStore, 'listOwing' | 'listRevocations' | 'findTask'>
  append: AppendReceipt
  log: Log
}): () => Promise<void> {
  let afterId = ''
  return async () => {
    for (const revocation of await receipts.listRevocations({ limit: AT_ONCE })) {
      const { groupId: id, organizationId } = revocation
      await attempt({ organizationId }, () =>
        append({ id, organizationId, keyId: null }, (place) => writeRevocation(revocation, place)),
      )
    }
    const ids = await receipts.listOwing({ afterId, limit: AT_ONCE })
    for (const id of ids) await attempt({ taskId: id }, () => makeTaskReceipt(id, { receipts, append }))
    // Those that failed come again after all others.
    afterId = ids.length < AT_ONCE ? '' : (ids.at(-1) ?? '')
  }

  async function attempt(of: LogFields, make: () => Promise<unknown>): Promise<void> {
    try {
      await make()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'store_unavailable') throw error
      log.error('receipt.failed', { ...of, error })
    }
  }
}

async function makeTaskReceipt(
  id: string,
  { receipts, append }: { receipts: Pick<ReceiptStore, 'findTask'>; append: AppendReceipt },
) {
  const task = await receipts.findTask(id)
  if (task === undefined) throw new ApiError('task_not_found')
  const { organizationId, keyId } = task
  return append({ id, organizationId, keyId }, (place) => writeTaskReceipt(task, place))
}
