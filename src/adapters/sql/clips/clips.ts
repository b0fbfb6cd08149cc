import { sql } from 'kysely'
import type { ClipStore, StoredClip } from '../../../ports/clips.ts'
import { insertAudit } from '../audit/audits.ts'
import { bringForward } from '../bring-forward.ts'
import { claimAttempts, giveBack } from '../claim-attempts.ts'
import { columnsAs, type NamedRow } from '../columns-as.ts'
import { columnsOf } from '../columns-of.ts'
import type { Queue } from '../fair-claim.ts'
import { equal, readPage } from '../page-of.ts'
import { page, read, type StatementsOf, single, write } from '../statement.ts'
import { eraseClips } from './erase-clips.ts'
import { insertClip } from './insert-clips.ts'

/** The state is a literal, so that planners match it with the condition of the index. */
const QUEUE: Queue = { table: 'clips', waiting: sql`state = 'copying'`, dueColumn: 'next_attempt_at_ms' }
export const DUE_CLIPS = { queue: QUEUE, columns: columnsAs('clips', ['taskId', 'model', 'kind']) }

export const CLIPS = {
  beginUpload: single(async (db, upload) => (await insertClip(db, upload)).numAffectedRows === 1n),

  listOfTasks: read(async (db, taskIds) => {
    const { rows } = await sql<ClipRow>`
      select ${COLUMNS} from clips where task_id in (${sql.join(taskIds)})`.execute(db)
    return rows.map(toClip)
  }),

  find: read(async (db, id) => {
    const { rows } = await sql<ClipRow>`select ${COLUMNS} from clips where id = ${id}`.execute(db)
    return rows[0] && toClip(rows[0])
  }),

  findByHash: read(async (db, sha256) => {
    const { rows } = await sql<ClipRow>`
      select ${COLUMNS} from clips
      where id in (
        select id from clips where sha256 = ${sha256} union select id from clips where source_sha256 = ${sha256}
      ) and kind not in ('upload', 'asset')
      order by case consent when 'withdrawn' then 0 else 1 end, clips.id limit 1`.execute(db)
    return rows[0] && toClip(rows[0])
  }),

  claimDue: write((db, claim, traits) => claimAttempts(db, DUE_CLIPS, claim, traits)),
  bringForward: single(bringForward(() => DUE_CLIPS.queue)),

  giveBack: single(giveBack(DUE_CLIPS.queue)),
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
    const { sha256, sourceSha256, bytes, mediaType, durationMs, width, height, watermark, marks } = facts
    const { numUpdatedRows } = await db
      .updateTable('clips')
      .set({
        ...columnsOf({ state: 'kept' as const, reason: null, sha256, sourceSha256, bytes, mediaType }),
        ...columnsOf({ durationMs, width, height, watermark, marks, storeKey, keptUntilMs }),
        kept_at_ms: atMs,
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
      select ${COLUMNS} from clips where owes_receipt order by clips.id limit ${limit}`.execute(db)
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
    const rows = await readPage(db, 'clips', COLUMNS, query, equal('state', query.state))
    return rows.map(toClip)
  }),
} satisfies StatementsOf<ClipStore>

const COLUMNS = columnsAs(
  'clips',
  [
    'id',
    'taskId',
    'organizationId',
    'provider',
    'model',
    'kind',
    'state',
    'reason',
    'consent',
    'createdAtMs',
    'sha256',
    'sourceSha256',
    'bytes',
    'mediaType',
    'durationMs',
    'width',
    'height',
    'watermark',
    'marks',
    'storeKey',
    'keptAtMs',
    'keptUntilMs',
  ],
  { keyId: 'api_key_id' },
)

type ClipRow = NamedRow<typeof COLUMNS>

function toClip(row: ClipRow): StoredClip {
  const { sha256, sourceSha256, bytes, mediaType, durationMs, width, height, watermark, marks, ...clip } = row
  if (sha256 === null || sourceSha256 === null || bytes === null || mediaType === null)
    return { ...clip, facts: null }
  const file = { sha256, sourceSha256, bytes, mediaType, durationMs, width, height, marks }
  return { ...clip, facts: { ...file, watermark: watermark === null ? null : Boolean(watermark) } }
}
