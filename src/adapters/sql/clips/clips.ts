import { type Selectable, sql } from 'kysely'
import type { ClipStore, DueClip, StoredClip } from '../../../ports/clips.ts'
import { insertAudit } from '../audit/audits.ts'
import { bringForward } from '../bring-forward.ts'
import { claimDueQuery } from '../callbacks/callbacks.ts'
import { countByOrganization, type Queue, shareOut } from '../fair-claim.ts'
import { equal, pageOf } from '../page-of.ts'
import { page, read, type StatementsOf, single, write } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { eraseClips } from './erase-clips.ts'

export const CLIPS = {
  listOfTasks: read(async (db, taskIds) => {
    const { rows } = await sql<ClipRow>`
      select * from clips where task_id in (${sql.join(taskIds)})`.execute(db)
    return rows.map(toClip)
  }),

  find: read(async (db, id) => {
    const { rows } = await sql<ClipRow>`select * from clips where id = ${id}`.execute(db)
    return rows[0] && toClip(rows[0])
  }),

  findByHash: read(async (db, sha256) => {
    const { rows } = await sql<ClipRow>`
      select * from (
        select * from clips where sha256 = ${sha256} union select * from clips where source_sha256 = ${sha256}
      ) as found order by case consent when 'withdrawn' then 0 else 1 end, id limit 1`.execute(db)
    return rows[0] && toClip(rows[0])
  }),

  claimDue: write(async (db, claim, traits) => {
    const { shares, moreAfter } = await shareOut(db, DUE_CLIPS, claim)
    if (shares.length === 0) return { due: [], abandoned: [], more: moreAfter(new Map()) }
    const columns = sql`id, task_id, organization_id, model, kind, state, attempt_count, attempts_allowed, fence`
    const query = claimDueQuery<ClipRow>(DUE_CLIPS, columns, { ...claim, shares }, traits)
    const { rows } = await query.execute(db)
    return {
      due: rows.filter(({ state }) => state === 'copying').map(toDueClip),
      abandoned: rows.filter(({ state }) => state !== 'copying').map(toDueClip),
      more: moreAfter(countByOrganization(rows)),
    }
  }),

  bringForward: single(bringForward(() => DUE_CLIPS)),

  /** The fence grows, so that a repeated call finds nothing to give back. */
  giveBack: single(async (db, { callbackId, fence, nextAttemptAtMs }) => {
    await sql`
      update clips set
        attempt_count = attempt_count - 1, next_attempt_at_ms = ${nextAttemptAtMs}, fence = fence + 1
      where id = ${callbackId} and fence = ${fence} and state = 'copying'`.execute(db)
  }),

  postpone: single(async (db, { id, fence, nextAttemptAtMs, reason }) => {
    await sql`
      update clips set next_attempt_at_ms = ${nextAttemptAtMs}, reason = ${reason}
      where id = ${id} and fence = ${fence} and state = 'copying'`.execute(db)
  }),

  giveUp: single(async (db, { id, fence, reason, atMs }) => {
    await sql`
      update clips set state = 'given-up', reason = ${reason}, next_attempt_at_ms = ${atMs}
      where id = ${id} and fence = ${fence} and state = 'copying'`.execute(db)
  }),

  keep: single(async (db, { id, fence, storeKey, atMs, keptUntilMs, facts }) => {
    const { numUpdatedRows } = await db
      .updateTable('clips')
      .set({
        state: 'kept',
        reason: null,
        sha256: facts.sha256,
        source_sha256: facts.sourceSha256,
        bytes: facts.bytes,
        media_type: facts.mediaType,
        duration_ms: facts.durationMs,
        width: facts.width,
        height: facts.height,
        watermark: facts.watermark,
        marks: facts.marks,
        store_key: storeKey,
        kept_at_ms: atMs,
        kept_until_ms: keptUntilMs,
        next_attempt_at_ms: atMs,
        owes_receipt: sql<boolean>`kind = 'video'`,
      })
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('state', '=', 'copying')
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }),

  listOwingReceipts: read(async (db, { limit }) => {
    const { rows } = await sql<ClipRow>`
      select * from clips where owes_receipt order by id limit ${limit}`.execute(db)
    return rows.map(toClip)
  }),

  sumKept: read(async (db, organizationId) => {
    const { rows } = await sql<{ bytes: number | string | null }>`
      select sum(bytes) as bytes from clips
      where organization_id = ${organizationId} and state = 'kept'`.execute(db)
    return Number(rows[0]?.bytes ?? 0)
  }),

  eraseExpired: write(async (db, { nowMs, limit }, { lockRowsSkippingLocked }) => {
    const { rows } = await sql<{ id: string }>`
      select id from clips where state = 'kept' and kept_until_ms <= ${nowMs}
      order by kept_until_ms limit ${limit} ${lockRowsSkippingLocked}`.execute(db)
    if (rows.length > 0)
      await eraseClips(db, { where: sql`id in (${sql.join(rows.map(({ id }) => id))})`, reason: 'age' })
    return rows.length
  }),

  listWithFiles: read(async (db, { nowMs, limit }) => {
    const { rows } = await sql<{ id: string; organization_id: string }>`
      select id, organization_id from clips
      where state in ('given-up', 'erased') and store_key is not null and next_attempt_at_ms <= ${nowMs}
      order by next_attempt_at_ms limit ${limit}`.execute(db)
    return rows.map((row) => ({ id: row.id, organizationId: row.organization_id }))
  }),

  forgetFiles: single(async (db, id) => {
    await sql`
      update clips set store_key = null where id = ${id} and state in ('given-up', 'erased')`.execute(db)
  }),

  eraseOfTask: write(async (db, taskId, audit) => {
    const { rows } = await sql<{ organization_id: string }>`
      select organization_id from clips where task_id = ${taskId} limit 1`.execute(db)
    if (rows[0] === undefined) return undefined
    const files = await eraseClips(db, { where: sql`task_id = ${taskId}`, reason: 'operator' })
    await insertAudit(db, { ...audit, organizationId: rows[0].organization_id })
    return files
  }),

  page: page(async (db, query) => {
    const { rows } = await sql<ClipRow>`
      select * from clips ${pageOf('clips', query, equal('state', query.state))}`.execute(db)
    return rows.map(toClip)
  }),
} satisfies StatementsOf<ClipStore>

/** The state is a literal, so that planners match it with the condition of the index. */
export const DUE_CLIPS: Queue = {
  table: 'clips',
  waiting: sql`state = 'copying'`,
  dueColumn: 'next_attempt_at_ms',
}

type ClipRow = Selectable<Tables['clips']>

function toDueClip(row: ClipRow): DueClip {
  return {
    id: row.id,
    taskId: row.task_id,
    organizationId: row.organization_id,
    model: row.model,
    kind: row.kind,
    attempt: row.attempt_count,
    attemptsLeft: row.attempts_allowed - row.attempt_count,
    fence: row.fence,
  }
}

function toClip(row: ClipRow): StoredClip {
  return {
    id: row.id,
    taskId: row.task_id,
    organizationId: row.organization_id,
    keyId: row.api_key_id,
    provider: row.provider,
    model: row.model,
    kind: row.kind,
    state: row.state,
    reason: row.reason,
    consent: row.consent,
    createdAtMs: row.created_at_ms,
    facts: factsOf(row),
    storeKey: row.store_key,
    keptAtMs: row.kept_at_ms,
    keptUntilMs: row.kept_until_ms,
  }
}

function factsOf(row: ClipRow): StoredClip['facts'] {
  const { sha256, source_sha256: sourceSha256, bytes, media_type: mediaType } = row
  if (sha256 === null || sourceSha256 === null || bytes === null || mediaType === null) return null
  return {
    sha256,
    sourceSha256,
    bytes,
    mediaType,
    durationMs: row.duration_ms,
    width: row.width,
    height: row.height,
    watermark: row.watermark === null ? null : Boolean(row.watermark),
    marks: row.marks,
  }
}
