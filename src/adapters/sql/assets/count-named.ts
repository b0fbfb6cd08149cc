import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import { type AssetFilter, listedWhere } from './listed-where.ts'

/** Names must be looked at one by one. */
export async function countNamed(db: Kysely<Tables>, filter: AssetFilter): Promise<number> {
  const { rows } = await sql<{ assets: number }>`
    select count(*) as assets from assets where ${listedWhere(filter)}`.execute(db)
  return rows[0]?.assets ?? 0
}
