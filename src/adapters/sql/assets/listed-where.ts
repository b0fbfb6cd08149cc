import { type RawBuilder, sql } from 'kysely'
import { ASSET_STATUSES, type AssetStatus } from '../../../domain/assets/asset.ts'
import { namePattern } from './name-pattern.ts'

export interface AssetFilter {
  organizationId: string
  groupId: string
  /** At least one, each once. */
  statuses: readonly AssetStatus[]
  name: string | undefined
}

/** Which assets are listed. The statuses stand in the text, not among the parameters: planners see how rare they are. */
export function listedWhere({ organizationId, groupId, statuses, name }: AssetFilter): RawBuilder<unknown> {
  const ofGroup = sql`organization_id = ${organizationId} and group_id = ${groupId}`
  const conditions =
    name === undefined
      ? [ofGroup, ...ofStatuses(statuses)]
      : [ofGroup, ...exceptOthers(statuses), named(name)]
  return sql.join(conditions, sql` and `)
}

/** One status is a range of an index of its own. */
function ofStatuses(statuses: readonly AssetStatus[]): RawBuilder<unknown>[] {
  const [first, ...more] = statuses
  return first !== undefined && more.length === 0 ? [sql`status = ${sql.lit(first)}`] : exceptOthers(statuses)
}

/**
 * Keeps a planner on the index of the whole group, which has status and name beside the order: shown what to look for,
 * it would gather that elsewhere, and then fetch or sort it all.
 */
function exceptOthers(statuses: readonly AssetStatus[]): RawBuilder<unknown>[] {
  const others = ASSET_STATUSES.filter((status) => !statuses.includes(status))
  return others.map((status) => sql`status <> ${sql.lit(status)}`)
}

function named(part: string): RawBuilder<unknown> {
  const pattern = namePattern(part)
  return pattern === undefined ? sql`1 = 0` : sql`folded_name like ${pattern} escape '\\'`
}
