import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import { type AssetFilter, listedWhere } from './listed-where.ts'

/** Names must be looked at one by one; otherwise the counts are kept. */
export async function countListed(db: Kysely<Tables>, filter: AssetFilter): Promise<number> {
  const where = listedWhere(filter)
  const counts =
    filter.name === undefined
      ? sql<Count>`select assets from asset_counts where ${where}`
      : sql<Count>`select count(*) as assets from assets where ${where}`
  const { rows } = await counts.execute(db)
  return rows.reduce((sum, { assets }) => sum + assets, 0)
}

interface Count {
  assets: number
}
