import { type Kysely, sql } from 'kysely'
import type { NewHold } from '../../../ports/ledger.ts'
import type { Begun, IdempotencyClaim, NewTask } from '../../../ports/tasks.ts'
import { hotStatement } from '../hot-statement.ts'
import { claimKey } from '../idempotency/claim-key.ts'
import { findReplay } from '../idempotency/find-replay.ts'
import { openHold } from '../ledger/open-hold.ts'
import type { Tables } from '../tables.ts'
import { Undone } from '../undone.ts'

/**
 * Everybody who touches a task takes the rows in one order: idempotency key, task, and then the money as `open-hold.ts`
 * explains. Twenty requests with one key therefore wait for the first of them before they have anything others wait for.
 */
export async function beginTask(
  db: Kysely<Tables>,
  { task, hold, idempotency }: { task: NewTask; hold: NewHold; idempotency: IdempotencyClaim | undefined },
): Promise<Begun> {
  if (idempotency !== undefined) {
    const claim = { ...idempotency, taskId: task.id, nowMs: task.createdAtMs }
    if (!(await claimKey(db, claim))) return await standingOf(db, claim)
  }
  await insertTask(db, {
    ...task,
    pricingJson: JSON.stringify(task.pricing),
  })
  const held = await openHold(db, hold)
  if (held.kind === 'no-organization') throw new Error(`there is no organization ${hold.organizationId}`)
  if (held.kind === 'insufficient-balance') throw new Undone(held)
  return { kind: 'begun', day: held.day }
}

/** Who had the key may have let go of it since: then it was under way a moment ago, and the next try finds it free. */
async function standingOf(db: Kysely<Tables>, claim: IdempotencyClaim & { nowMs: number }): Promise<Begun> {
  const replay = await findReplay(db, claim)
  if (replay === undefined) return { kind: 'under-way' }
  return replay.kind === 'replay' ? { kind: 'replay' } : replay
}

const insertTask = hotStatement<NewTask & { pricingJson: string }>(
  (task) => sql`
    insert into video_tasks
      (id, api_key_id, organization_id, user_id, model, provider, status, metadata, pricing, sealed_callback_url,
       owes_callback, notice_token_digest, created_at_ms, expires_at_ms, next_poll_at_ms)
    values
      (${task.id}, ${task.keyId}, ${task.organizationId}, ${task.userId}, ${task.model}, ${task.provider}, 'submitting',
       ${task.metadata}, ${task.pricingJson}, ${task.sealedCallbackUrl}, ${task.owesCallback},
       ${task.noticeTokenDigest}, ${task.createdAtMs}, ${task.expiresAtMs}, ${task.nextPollAtMs})`,
)
