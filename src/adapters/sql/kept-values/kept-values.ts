import { sql } from 'kysely'
import type { KeptValue, KeptValueStore } from '../../../ports/kept-values.ts'
import { dropExpired } from '../drop-expired.ts'
import { read, type StatementsOf, single, write } from '../statement.ts'
import type { Db } from '../tables.ts'

export const KEPT_VALUES = {
  find: read(async (db, { key, nowMs }) => {
    const { rows } = await sql<{ value: string }>`
      select value from kept_values where key = ${key} and expires_at_ms > ${nowMs}`.execute(db)
    return rows[0]?.value
  }),

  /**
   * Stores a value. A separate row has the sum of a share, because summing its rows at every write would delay all
   * writers. The sum still counts removed and expired rows, until it reaches the limit and is computed again.
   */
  keep: write(async (db, { key, value, expiresAtMs, share }) => {
    const bytes = key.length + value.length + ROW_BYTES
    if (share !== undefined && bytes > share.bytesMax) return removeKeptValue(db, key)
    // The sum is locked first, so that two writers of a share cannot deadlock.
    const total = share === undefined ? 0 : await addToSum(db, share.name, { key, bytes, expiresAtMs })
    await sql`
      insert into kept_values (key, value, share, bytes, expires_at_ms)
      values (${key}, ${value}, ${share?.name ?? null}, ${bytes}, ${expiresAtMs})
      on conflict (key) do update set value = excluded.value, share = excluded.share, bytes = excluded.bytes,
        expires_at_ms = excluded.expires_at_ms`.execute(db)
    if (share !== undefined && total > share.bytesMax) await makeRoom(db, share)
  }),

  remove: single(removeKeptValue),
  /** Removes the sum first: a write that runs has its lock, and its value is then removed too. */
  removeShare: write(async (db, name) => {
    await removeKeptValue(db, sumKeyOf(name))
    await sql`delete from kept_values where share = ${name}`.execute(db)
  }),

  dropExpired: single(dropExpired('kept_values')),
} satisfies StatementsOf<KeptValueStore>

/** Bytes of a row besides its two texts. */
const ROW_BYTES = 200
/** Part of a full share that one write frees, so that the next writes need no new sum, which reads all its rows. */
const ROOM_PART = 1 / 16
/** Number of rows that one step reads to free space. */
const OLDEST_MAX = 500

export async function removeKeptValue(db: Db, key: string): Promise<void> {
  await sql`delete from kept_values where key = ${key}`.execute(db)
}

function sumKeyOf(share: string): string {
  return `${share}:bytes`
}

async function addToSum(
  db: Db,
  share: string,
  { key, bytes, expiresAtMs }: { key: string; bytes: number; expiresAtMs: number },
): Promise<number> {
  const { rows: old } = await sql<{ bytes: number }>`
    select bytes from kept_values where key = ${key} and share = ${share}`.execute(db)
  const more = bytes - Number(old[0]?.bytes ?? 0)
  const { rows } = await sql<{ bytes: number }>`
    update kept_values set bytes = bytes + ${more},
      expires_at_ms = case when expires_at_ms > ${expiresAtMs} then expires_at_ms else ${expiresAtMs} end
    where key = ${sumKeyOf(share)} returning bytes`.execute(db)
  const known = rows[0]
  if (known !== undefined) return Number(known.bytes)
  const total = (await sumOf(db, share)) + more
  await sql`
    insert into kept_values (key, value, share, bytes, expires_at_ms)
    values (${sumKeyOf(share)}, '', null, ${total}, ${expiresAtMs})
    on conflict (key) do update set bytes = kept_values.bytes + ${more}`.execute(db)
  return total
}

async function sumOf(db: Db, share: string): Promise<number> {
  const { rows } = await sql<{ bytes: number | null }>`
    select sum(bytes) as bytes from kept_values where share = ${share}`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

/** Deletes values of a full share, those that expire first. */
async function makeRoom(db: Db, { name, bytesMax }: NonNullable<KeptValue['share']>) {
  let total = await sumOf(db, name)
  const goal = total > bytesMax ? bytesMax * (1 - ROOM_PART) : total
  while (total > goal) {
    const { rows: oldest } = await sql<{ key: string; bytes: number }>`
      select key, bytes from kept_values where share = ${name}
      order by expires_at_ms, key limit ${OLDEST_MAX}`.execute(db)
    const dropped: string[] = []
    for (const { key, bytes } of oldest) {
      if (total <= goal) break
      dropped.push(key)
      total -= Number(bytes)
    }
    if (dropped.length === 0) break
    await sql`delete from kept_values where key in (${sql.join(dropped)})`.execute(db)
  }
  await sql`update kept_values set bytes = ${total} where key = ${sumKeyOf(name)}`.execute(db)
}
