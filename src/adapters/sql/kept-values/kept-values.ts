import { sql } from 'kysely'
import type { KeptValue, KeptValueStore } from '../../../ports/kept-values.ts'
import { dropExpired } from '../drop-expired.ts'
import { read, type StatementsOf, single, write } from '../statement.ts'
import type { Db } from '../tables.ts'

export const KEPT_VALUES = {
  find: read(async (db, { key, nowMs }) => {
    const row = await db
      .selectFrom('kept_values')
      .select('value')
      .where('key', '=', key)
      .where('expires_at_ms', '>', nowMs)
      .executeTakeFirst()
    return row?.value
  }),

  /**
   * The sum of a share stands in a row of its own, because to add up the rows at every write would hold up all writers. Rows
   * that were removed or have expired still count there, until the sum reaches the bound and is taken from the rows again.
   */
  keep: write(async (db, { key, value, expiresAtMs, share }) => {
    const bytes = key.length + value.length + ROW_BYTES
    if (share !== undefined && bytes > share.bytesMax) return removeKeptValue(db, key)
    const row = { value, share: share?.name ?? null, bytes, expires_at_ms: expiresAtMs }
    // The sum first: its lock keeps two writers of one share from waiting for each other's rows.
    const total = share === undefined ? 0 : await addToSum(db, share.name, { key, bytes, expiresAtMs })
    await db
      .insertInto('kept_values')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute()
    if (share !== undefined && total > share.bytesMax) await makeRoom(db, share)
  }),

  remove: single(removeKeptValue),
  removeShare: write(async (db, name) => {
    await db.deleteFrom('kept_values').where('share', '=', name).execute()
    await removeKeptValue(db, sumKeyOf(name))
  }),

  dropExpired: single(dropExpired('kept_values')),
} satisfies StatementsOf<KeptValueStore>

/** What the engine keeps for a row besides its two texts. */
const ROW_BYTES = 200
/** A share that is full gets so much room at once: to count it reads all of its rows. */
const ROOM_PART = 1 / 16
/** Rows that are looked at together while room is made. */
const OLDEST_MAX = 500

export async function removeKeptValue(db: Db, key: string): Promise<void> {
  await db.deleteFrom('kept_values').where('key', '=', key).execute()
}

function sumKeyOf(share: string): string {
  return `${share}:bytes`
}

async function addToSum(
  db: Db,
  share: string,
  { key, bytes, expiresAtMs }: { key: string; bytes: number; expiresAtMs: number },
): Promise<number> {
  const old = await db
    .selectFrom('kept_values')
    .select('bytes')
    .where('key', '=', key)
    .where('share', '=', share)
    .executeTakeFirst()
  const more = bytes - Number(old?.bytes ?? 0)
  const { rows } = await sql<{ bytes: number }>`
    update kept_values set bytes = bytes + ${more},
      expires_at_ms = case when expires_at_ms > ${expiresAtMs} then expires_at_ms else ${expiresAtMs} end
    where key = ${sumKeyOf(share)} returning bytes`.execute(db)
  const known = rows[0]
  if (known !== undefined) return Number(known.bytes)
  const total = (await sumOf(db, share)) + more
  await db
    .insertInto('kept_values')
    .values({ key: sumKeyOf(share), value: '', share: null, bytes: total, expires_at_ms: expiresAtMs })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ bytes: sql`kept_values.bytes + ${more}` }))
    .execute()
  return total
}

async function sumOf(db: Db, share: string): Promise<number> {
  const { rows } = await sql<{ bytes: number | null }>`
    select sum(bytes) as bytes from kept_values where share = ${share}`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

/** Those that end first go. */
async function makeRoom(db: Db, { name, bytesMax }: NonNullable<KeptValue['share']>) {
  let total = await sumOf(db, name)
  const goal = total > bytesMax ? bytesMax * (1 - ROOM_PART) : total
  while (total > goal) {
    const oldest = await db
      .selectFrom('kept_values')
      .select(['key', 'bytes'])
      .where('share', '=', name)
      .orderBy('expires_at_ms')
      .orderBy('key')
      .limit(OLDEST_MAX)
      .execute()
    const going: string[] = []
    for (const { key, bytes } of oldest) {
      if (total <= goal) break
      going.push(key)
      total -= Number(bytes)
    }
    if (going.length === 0) break
    await db.deleteFrom('kept_values').where('key', 'in', going).execute()
  }
  await sql`update kept_values set bytes = ${total} where key = ${sumKeyOf(name)}`.execute(db)
}
