import { micros } from '../../../src/domain/billing/micros.ts'
import type { NewHold } from '../../../src/ports/ledger.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { IdempotencyClaim, NewTask, StoredTask, TaskMove, WholeTask } from '../../../src/ports/tasks.ts'
import { HOUR_MS, sampleCost, sampleHold } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'

export const DAY_MS = 24 * HOUR_MS
/** Hold of a sample task. */
export const HELD = 100

export function sampleTask(part: Partial<NewTask> = {}): NewTask {
  return {
    id: 'task_1',
    organizationId: 'org_1',
    userId: 'usr_1',
    keyId: 'key_1',
    model: 'vendorA/gen-2.0',
    provider: 'vendorA',
    metadata: '{ "trace": "a\\u0000b", "n": 1.10, "nested": {"deep": [1, null]} }',
    pricing: { unit: 'video_token', priceMicros: micros(1_000_000), estimatedTokens: HELD },
    encryptedCallbackUrl: 'sealed-url',
    owesCallback: true,
    createdAtMs: MORNING_MS,
    expiresAtMs: MORNING_MS + HOUR_MS,
    noticeTokenDigest: null,
    nextPollAtMs: MORNING_MS + 5_000,
    ...part,
  }
}

/** Stored task before the vendor's first report. */
export function submitting(task: NewTask): WholeTask {
  const { noticeTokenDigest: _token, nextPollAtMs: _poll, ...kept } = task
  return {
    ...kept,
    attempt: 1,
    attemptAtMs: null,
    servedModel: task.model,
    standIns: task.standIns ?? [],
    status: 'submitting',
    encryptedTicket: null,
    encryptedContent: null,
    error: null,
    updatedAtMs: null,
    completedAtMs: null,
    deletedAtMs: null,
    withheldAtMs: null,
  }
}

/** Task as returned by statements that read many tasks or move one. */
export function coreOf({
  metadata: _metadata,
  encryptedCallbackUrl: _url,
  encryptedContent: _content,
  ...core
}: WholeTask): StoredTask {
  return core
}

/** A move of a task. Its ids contain the task and the status, so that two ends never have the same id. */
export function sampleMove(status: TaskMove['status'], part: Partial<TaskMove> = {}): TaskMove {
  const id = part.id ?? 'task_1'
  return {
    id,
    attempt: 1,
    status,
    encryptedContent: status === 'succeeded' ? 'sealed-content' : null,
    error: status === 'failed' ? { code: 'generation_failed', message: 'It broke.' } : null,
    atMs: MORNING_MS + 1_000,
    cost: sampleCost(60),
    entryId: `ent_${id}_${status}`,
    videoMs: 5_000,
    callbackId: `msg_${id}_${status}`,
    ...part,
  }
}

export function sampleClaim(part: Partial<IdempotencyClaim> = {}): IdempotencyClaim {
  return {
    keyId: 'key_1',
    key: 'once',
    bodyDigest: 'body-1',
    expiresAtMs: MORNING_MS + DAY_MS,
    ...part,
  }
}

export function begin(
  { tasks }: Store,
  part: Partial<NewTask> = {},
  {
    hold,
    idempotency,
    groupIds = [],
  }: {
    hold?: Partial<NewHold> & { amount?: number }
    idempotency?: IdempotencyClaim
    groupIds?: readonly string[]
  } = {},
) {
  const task = sampleTask(part)
  const { id, organizationId, userId } = task
  return tasks.begin({
    task,
    hold: sampleHold({ id: `hold_${id}`, organizationId, userId, taskId: id, amount: HELD, ...hold }),
    idempotency,
    groupIds,
  })
}

export function accept({ tasks }: Store, move: TaskMove = sampleMove('queued')) {
  return tasks.accept({ move, encryptedTicket: `sealed-ticket-${move.id}`, nextPollAtMs: MORNING_MS + 7_000 })
}

/** Begins a task that the vendor accepts. */
export async function beginAccepted(
  store: Store,
  part: Partial<NewTask> = {},
  hold: Partial<NewHold> & { amount?: number } = {},
): Promise<void> {
  await begin(store, part, { hold })
  await accept(store, sampleMove('queued', part.id === undefined ? {} : { id: part.id }))
}
