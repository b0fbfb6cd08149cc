import { sql } from 'kysely'
import type { Begun, IdempotencyClaim, NewTask, TaskStore } from '../../../ports/tasks.ts'
import { eraseClips } from '../clips/erase-clips.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { hotStatement } from '../hot-statement.ts'
import { releaseHold } from '../ledger/end-hold.ts'
import { openHold } from '../ledger/open-hold.ts'
import { RollbackWith } from '../rollback-with.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { claimKey, findReplay, freeKey } from './idempotency-keys.ts'

export const BEGIN_TASK = {
  /**
   * Begins a task. Every transaction on a task locks rows in one order: idempotency key, task, and then the money as in
   * `open-hold.ts`. Requests with the same key wait for the first one before they lock other rows.
   */
  begin: write(async (db, { task, hold, idempotency, quoteId, groupIds = [], isRehearsal }, traits) => {
    if (idempotency !== undefined) {
      const claim = { ...idempotency, taskId: task.id, nowMs: task.createdAtMs }
      if (!(await claimKey(db, claim))) return await replayOutcome(db, claim)
    }
    await insertTask(db, {
      ...task,
      pricingJson: JSON.stringify(task.pricing),
      ordered: task.ordered ?? null,
      owesReceipt: true,
      standInsJson: task.standIns === undefined ? null : JSON.stringify(task.standIns),
      encryptedRequest: task.encryptedRequest ?? null,
      requestId: task.requestId ?? null,
      alias: task.alias ?? null,
    })
    if (quoteId !== undefined) await useQuote(db, { id: quoteId, taskId: task.id })
    if (groupIds.length > 0) await linkGroups(db, { task, groupIds }, traits)
    const held = await openHold(db, { ...hold, keyId: task.keyId }, traits)
    if (held.kind === 'no-organization') throw new Error(`there is no organization ${hold.organizationId}`)
    if (held.kind !== 'held') throw new RollbackWith(held)
    const begun: Begun = { kind: 'begun', day: held.day }
    if (isRehearsal) throw new RollbackWith(begun)
    return begun
  }),

  /** Deletes the key first, in the lock order of `begin`. A rollback restores it when the task must stay. */
  forget: write(async (db, { id, atMs }) => {
    await freeKey(db, { taskId: id })
    const { rows } = await deleteSubmitting(db, { id })
    const deleted = rows[0]
    if (deleted === undefined) throw new RollbackWith(undefined)
    await eraseClips(db, { where: sql`task_id = ${id}`, reason: 'task' })
    return deleted.hold_id === null ? undefined : await releaseHold(db, { holdId: deleted.hold_id, atMs })
  }),
} satisfies Partial<StatementsOf<TaskStore>>

/** Marks the quote as used. The mark is deleted with its task, so a forgotten task frees the quote. */
async function useQuote(db: Db, used: { id: string; taskId: string }): Promise<void> {
  const { numAffectedRows } = await sql`
    insert into video_quotes (id, task_id) values (${used.id}, ${used.taskId})
    on conflict do nothing`.execute(db)
  if (numAffectedRows !== 1n) throw new RollbackWith<Begun>({ kind: 'quote-used' })
}

/** Links the task to its groups. Waits for a running erasure, so that a task never shows an erased person. */
async function linkGroups(
  db: Db,
  { task: { id, organizationId }, groupIds }: { task: NewTask; groupIds: readonly string[] },
  { lockRows }: EngineTraits,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from asset_groups where id in (${sql.join(groupIds)}) and organization_id = ${organizationId}
    order by id ${lockRows}`.execute(db)
  if (rows.length < groupIds.length) throw new RollbackWith<Begun>({ kind: 'group-gone' })
  const links = rows.map((group) => sql`(${group.id}, ${id}, ${organizationId})`)
  await sql`
    insert into task_groups (group_id, task_id, organization_id)
    values ${sql.join(links)}`.execute(db)
}

/** Answers a repeated request; with `in-progress` if its key has just been freed. */
async function replayOutcome(db: Db, claim: IdempotencyClaim & { nowMs: number }): Promise<Begun> {
  const replay = await findReplay(db, claim)
  if (replay === undefined) return { kind: 'in-progress' }
  return replay.kind === 'replay' ? { kind: 'replay' } : replay
}

const insertTask = hotStatement<
  Omit<NewTask, 'ordered' | 'encryptedRequest' | 'requestId' | 'alias'> & {
    pricingJson: string
    ordered: string | null
    owesReceipt: boolean
    standInsJson: string | null
    encryptedRequest: string | null
    requestId: string | null
    alias: string | null
  }
>(
  (task) => sql`
    insert into video_tasks
      (id, api_key_id, organization_id, user_id, model, provider, status, metadata, pricing, sealed_callback_url,
       owes_callback, notice_token_digest, created_at_ms, expires_at_ms, next_poll_at_ms, ordered, owes_receipt,
       stand_ins, sealed_request, request_id, alias)
    values
      (${task.id}, ${task.keyId}, ${task.organizationId}, ${task.userId}, ${task.model}, ${task.provider}, 'submitting',
       ${task.metadata}, ${task.pricingJson}, ${task.encryptedCallbackUrl}, ${task.owesCallback},
       ${task.noticeTokenDigest}, ${task.createdAtMs}, ${task.expiresAtMs}, ${task.nextPollAtMs}, ${task.ordered},
       ${task.owesReceipt}, ${task.standInsJson}, ${task.encryptedRequest}, ${task.requestId},
       ${task.alias})`,
)

const deleteSubmitting = hotStatement<{ id: string }, { hold_id: string | null }>(
  ({ id }) => sql`
    delete from video_tasks where id = ${id} and status = 'submitting'
    returning (select id from holds where holds.task_id = video_tasks.id) as hold_id`,
)
