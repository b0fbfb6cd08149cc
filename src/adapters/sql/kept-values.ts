import { type Kysely, sql } from 'kysely'
import type { KeptValue } from '../../ports/kept-values.ts'
import type { Tables } from './tables.ts'

export async function findKeptValue(
  db: Kysely<Tables>,
  { key, nowMs }: { key: string; nowMs: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('kept_values')
    .select('value')
    .where('key', '=', key)
    .where('expires_at_ms', '>', nowMs)
    .executeTakeFirst()
  return row?.value
}

/** What the engine keeps for a row besides its two texts. */
const ROW_BYTES = 200

export async function keepValue(
  db: Kysely<Tables>,
  { key, value, expiresAtMs, share }: KeptValue,
): Promise<void> {
  const bytes = key.length + value.length + ROW_BYTES
  if (share !== undefined && bytes > share.bytesMax) return removeKeptValue(db, { key })
  const row = { value, share: share?.name ?? null, bytes, expires_at_ms: expiresAtMs }
  await db
    .insertInto('kept_values')
    .values({ key, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute()
  if (share === undefined) return
  await sql`
    delete from kept_values where key in (
      select key from (
        select key, sum(bytes) over (order by expires_at_ms desc, key) as bytes_from_here
        from kept_values where share = ${share.name}
      ) as counted
      where bytes_from_here > ${share.bytesMax}
    )`.execute(db)
}

export async function removeKeptValue(db: Kysely<Tables>, { key }: { key: string }): Promise<void> {
  await db.deleteFrom('kept_values').where('key', '=', key).execute()
}
