import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import { hasEnded } from '../../domain/video/task.ts'
import type { ClipStore } from '../../ports/clips.ts'
import type { Log, LogFields } from '../../ports/log.ts'
import type { ReceiptStore, StoredReceipt } from '../../ports/receipts.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import type { UsageReportStore } from '../../ports/usage-reports.ts'
import type { AppendReceipt } from './append-receipt.ts'
import { writeClipReceipt } from './write-clip-receipt.ts'
import { writeRevocation, writeTaskReceipt, writeTextReceipt } from './write-receipt.ts'

/** Returns the flattened JWS of a receipt, as JSON. */
export type GetTaskReceipt = (question: { id: string; caller: Pick<Caller, 'keyId'> }) => Promise<string>
export type GetTextReceipt = (question: {
  requestId: string
  caller: Pick<Caller, 'organizationId' | 'keyId'>
}) => Promise<string>

/** A receipt belongs to the key of its task. It stays when the task is deleted or dropped. */
export function getTaskReceipt(tools: {
  receipts: Pick<ReceiptStore, 'find' | 'findTask'>
  tasks: Pick<TaskStore, 'find'>
  append: AppendReceipt
}): GetTaskReceipt {
  const { receipts, tasks, append } = tools
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
 * Most receipts of text requests are never requested, so a receipt is made from its usage row when a client first asks for
 * it. Afterwards the row is not needed. The entry of a revocation is found by the group of the person.
 */
export function getTextReceipt(tools: {
  receipts: Pick<ReceiptStore, 'find' | 'findOfRequest'>
  usageReports: Pick<UsageReportStore, 'findText' | 'findRowsFrom'>
  tasks: Pick<TaskStore, 'findForOperator'>
  ofTask: GetTaskReceipt
  append: AppendReceipt
}): GetTextReceipt {
  const { receipts, usageReports, tasks, append, ofTask } = tools
  return async ({ requestId: requestedId, caller }) => {
    const { organizationId } = caller
    const there = await findMade(requestedId)
    if (there?.organizationId === organizationId) return there.jws
    const charge = await usageReports.findText(requestedId)
    if (charge === undefined) return ofCreate(requestedId, caller)
    if (charge.organizationId !== organizationId) throw await noReceipt(requestedId)
    const { id, keyId, requestId } = charge
    const entry = { id, organizationId, keyId, requestId }
    return (await append(entry, (position) => writeTextReceipt(charge, position))).jws
  }

  /** The request may have made a task, whose receipt belongs to the key of the task. */
  async function ofCreate(requestId: string, caller: Pick<Caller, 'keyId'>): Promise<string> {
    const task = requestId.startsWith('req_') ? await tasks.findForOperator(requestId) : undefined
    if (task?.keyId !== caller.keyId) throw await noReceipt(requestId)
    return ofTask({ id: task.id, caller })
  }

  /** Finds a receipt that was made before, except a receipt of a task. */
  async function findMade(id: string): Promise<StoredReceipt | undefined> {
    if (id.startsWith('req_')) return receipts.findOfRequest(id)
    return id.startsWith('group_') || id.startsWith('use_') ? receipts.find(id) : undefined
  }

  /**
   * The error depends on the id alone, so ids of other organizations and made-up ids get the same error.
   * `receipt_gone` is only for ids of requests and usage rows, because a text request's receipt needs its row.
   */
  async function noReceipt(id: string): Promise<ApiError> {
    const madeAtMs = /^(req|use)_/.test(id) ? timeOfId(id) : undefined
    if (madeAtMs !== undefined && madeAtMs < (await usageReports.findRowsFrom()))
      return new ApiError('receipt_gone')
    return new ApiError('not_found', { message: 'Nothing was charged for a request with this id.' })
  }
}

const BATCH_MAX = 50

/** Makes entries of revocations and kept videos, then receipts of ended tasks. Only an unreachable store stops the pass. */
export function makeOwedReceipts(input: {
  receipts: Pick<ReceiptStore, 'listOwing' | 'listRevocations' | 'findTask'>
  /** Left out: no videos are kept. */
  clips?: Pick<ClipStore, 'listOwingReceipts'> | undefined
  append: AppendReceipt
  log: Log
}): () => Promise<void> {
  const { receipts, clips, append, log } = input
  let afterId = ''
  return async () => {
    for (const revocation of await receipts.listRevocations({ limit: BATCH_MAX })) {
      const { groupId: id, organizationId } = revocation
      await attempt({ organizationId }, () =>
        append({ id, organizationId, keyId: null, requestId: null }, (position) =>
          writeRevocation(revocation, position),
        ),
      )
    }
    for (const clip of (await clips?.listOwingReceipts({ limit: BATCH_MAX })) ?? []) {
      const { id, taskId, organizationId, keyId } = clip
      await attempt({ taskId }, () =>
        append({ id, organizationId, keyId, requestId: null }, (position) =>
          writeClipReceipt(clip, position),
        ),
      )
    }
    const ids = await receipts.listOwing({ afterId, limit: BATCH_MAX })
    for (const id of ids) await attempt({ taskId: id }, () => makeTaskReceipt(id, { receipts, append }))
    // Failed receipts are retried after all other receipts.
    afterId = ids.length < BATCH_MAX ? '' : (ids.at(-1) ?? '')
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
  return append({ id, organizationId, keyId, requestId: null }, (position) =>
    writeTaskReceipt(task, position),
  )
}

/** Creation time in an id of the gateway, in milliseconds; undefined for other texts. */
export function timeOfId(id: string): number | undefined {
  const digits = /^[a-z]+_([0-9a-f]{12})[0-9a-f]{20}$/.exec(id)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}
