import { moveTo } from '../../../src/app/video/apply-snapshot.ts'
import { encryptCallbackUrl, encryptTicket } from '../../../src/app/video/encrypted.ts'
import { digestNoticeToken } from '../../../src/app/video/notice-token.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { NewId, Secrets } from '../../../src/ports/secrets.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { NewTask } from '../../../src/ports/tasks.ts'
import type { Tenant } from './tenant.ts'

export const HOLD_MICROS = 500_000
export const SECOND_MICROS = 100_000

export interface TaskTools {
  store: Store
  secrets: Secrets
  newId: NewId
  clock: { nowMs(): number; monotonicMs(): number }
}

export interface TaskOptions {
  tenant: Tenant
  provider?: string
  callbackUrl?: string
  noticeToken?: string
  expiresAfterMs?: number
}

/** Begins a task whose create call has no answer yet. */
export async function beginTask(
  options: TaskOptions,
  { store, secrets, newId, clock }: TaskTools,
): Promise<NewTask> {
  const { tenant, provider = 'vendorB', callbackUrl, noticeToken, expiresAfterMs = 3_600_000 } = options
  const { organizationId, userId, keyId } = tenant
  const id = newId('task')
  const createdAtMs = clock.nowMs()
  const expiresAtMs = createdAtMs + expiresAfterMs
  const task: NewTask = {
    id,
    organizationId,
    userId,
    keyId,
    model: `${provider}/gen-v4-std`,
    provider,
    metadata: '{"order":7}',
    pricing: { unit: 'second', priceMicros: micros(SECOND_MICROS), estimatedSeconds: 5 },
    encryptedCallbackUrl: callbackUrl === undefined ? null : encryptCallbackUrl(callbackUrl, id, secrets),
    owesCallback: callbackUrl !== undefined,
    createdAtMs,
    expiresAtMs,
    noticeTokenDigest: noticeToken === undefined ? null : digestNoticeToken(noticeToken, secrets),
    nextPollAtMs: createdAtMs,
  }
  const hold = {
    id: newId('hold'),
    organizationId,
    userId,
    day: '2023-11-14',
    taskId: id,
    amountMicros: micros(HOLD_MICROS),
    createdAtMs,
    expiresAtMs: expiresAtMs + 3_600_000,
  }
  const begun = await store.tasks.begin({ task, hold, idempotency: undefined })
  if (begun.kind !== 'begun') throw new Error(`The task was not begun: ${begun.kind}`)
  return task
}

/** Stores the vendor's answer to the create call. */
export async function acceptTask(task: NewTask, ticket: string, tools: TaskTools): Promise<void> {
  const { store, secrets, clock } = tools
  const queued = { status: 'queued', content: undefined, error: undefined, measured: {} } as const
  await store.tasks.accept({
    move: moveTo({ ...task, attempt: 1 }, queued, tools),
    encryptedTicket: encryptTicket(ticket, task.id, secrets),
    nextPollAtMs: clock.nowMs(),
  })
}
