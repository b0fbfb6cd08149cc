import { type RawBuilder, sql } from 'kysely'
import type { SecretChangeStore, SecretNeed, StartOfWritten } from '../../../ports/secret-change.ts'
import { read, report, type StatementsOf, single } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'

export const SECRET_CHANGE = {
  /** Also reads rows that are done already, so that the time depends only on the limit. */
  listEncrypted: read(async (db, { table, columns, afterId, limit }) => {
    const { rows } = await sql<Record<string, string | null> & { id: string }>`
      select id, ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
      where id > ${afterId} order by id limit ${limit}`.execute(db)
    return rows.map((row) => ({ id: row.id, values: columns.map((column) => row[column] ?? null) }))
  }),

  /** Changes rows in the order of their ids, so that two such commands cannot deadlock. */
  replaceEncrypted: single(async (db, { table, changes }) => {
    let changed = 0n
    for (const { id, column, from, to } of changes) {
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${to}
        where id = ${id} and ${sql.ref(column)} = ${from}`.execute(db)
      changed += numAffectedRows ?? 0n
    }
    return Number(changed)
  }),

  replaceDigest: single(async (db, { table, id, from, to }) => {
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set digest = ${to} where id = ${id} and digest = ${from}`.execute(db)
    return numAffectedRows === 1n
  }),

  countNeeds: report(async (db, { start, encrypted, nowMs, claimsExpireByMs }) => {
    const isOld = (column: string) => isUnderOtherSecret(column, start)
    const never = sql`cast(null as integer)`
    const needs: SecretNeed[] = []
    for (const { table, columns } of encrypted) {
      const where = sql.join(columns.map(isOld), sql` or `)
      needs.push(await count(db, { of: table, table, where, until: never }))
    }
    const isCurrentKey = sql`revoked_at_ms is null and (expires_at_ms is null or expires_at_ms > ${nowMs})`
    const isOpen = sql`expires_at_ms > ${nowMs}`
    const last = sql`max(expires_at_ms)`
    const others: NeedQuery[] = [
      { of: 'api_keys', where: sql`${isCurrentKey} and ${isOld('digest')}`, until: never, hasIds: true },
      {
        of: 'operators',
        where: sql`revoked_at_ms is null and ${isOld('digest')}`,
        until: never,
        hasIds: true,
      },
      { of: 'operator_sessions', where: sql`${isOpen} and ${isOld('digest')}`, until: sql`max(ends_at_ms)` },
      { of: 'sign_in_links', where: sql`${isOpen} and ${isOld('digest')}`, until: last },
      {
        of: 'open_verifications',
        table: 'verifications',
        where: sql`expires_at_ms > ${nowMs - VERIFICATION_ASKED_MS} and ${isOld('state_digest')}`,
        until: sql`max(expires_at_ms) + ${sql.lit(VERIFICATION_ASKED_MS)}`,
      },
      {
        of: 'notices_of_open_tasks',
        table: 'video_tasks',
        where: sql`status in ('submitting', 'queued', 'running') and ${isOld('notice_token_digest')}`,
        until: last,
      },
      {
        of: 'request_claims',
        where: sql`${isOpen} and (${isOld('key_digest')} or expires_at_ms < ${claimsExpireByMs})`,
        until: last,
      },
      {
        of: 'admin_request_claims',
        table: 'admin_requests',
        where: sql`${isOpen} and ${isOld('key_digest')}`,
        until: last,
      },
      { of: 'vendor_ids', where: sql`${isOpen} and ${isOld('digest')}`, until: last },
    ]
    for (const query of others) needs.push(await count(db, query))
    return needs.filter(({ rows }) => rows > 0)
  }),
} satisfies Partial<StatementsOf<SecretChangeStore>>

/** Time after the expiry of a verification in which the browser may still ask for it. */
const VERIFICATION_ASKED_MS = 35 * 60_000
const IDS_MAX = 20

/**
 * Condition: another secret wrote the value. A value begins with the name of its secret and a dot, except
 * under the store's first secret. The condition is never true for null.
 */
function isUnderOtherSecret(column: string, start: StartOfWritten): RawBuilder<boolean> {
  const value = sql.ref(column)
  return start === null
    ? sql<boolean>`(${value} like '%.%')`
    : sql<boolean>`(${value} not like ${`${start}%`})`
}

interface NeedQuery {
  of: SecretNeed['of']
  /** Default: `of`. */
  table?: keyof Tables
  where: RawBuilder<unknown>
  until: RawBuilder<unknown>
  hasIds?: true
}

async function count(db: Db, { of, table, where, until, hasIds }: NeedQuery): Promise<SecretNeed> {
  const from = sql.table(table ?? of)
  const { rows } = await sql<{ rows: number; until_ms: number | null }>`
    select count(*) as rows, ${until} as until_ms from ${from} where ${where}`.execute(db)
  const found = rows[0]
  const needed = Number(found?.rows ?? 0)
  const ids = hasIds && needed > 0 ? await firstIds(db, from, where) : []
  return { of, rows: needed, untilMs: found?.until_ms == null ? null : Number(found.until_ms), ids }
}

async function firstIds(db: Db, from: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${from} where ${where} order by id limit ${IDS_MAX}`.execute(db)
  return rows.map(({ id }) => id)
}
