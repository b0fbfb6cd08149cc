import { type RawBuilder, sql } from 'kysely'
import type { PageQuery } from '../../ports/page-query.ts'

/**
 * End of a statement that reads one page, newest first. Ids sort by time, so it uses the primary key backwards, or the
 * index on organization and id; the cost of a page does not depend on its depth. `filters` have indexes that end in the
 * id (migration 34).
 */
export function pageOf(
  table: string,
  { after, organizationId, id: only, limit }: PageQuery,
  filters: readonly RawBuilder<unknown>[] = [],
): RawBuilder<unknown> {
  const id = sql.ref(`${table}.id`)
  const conditions = [...filters]
  if (only !== undefined) conditions.push(sql`${id} = ${only}`)
  if (organizationId !== undefined)
    conditions.push(sql`${sql.ref(`${table}.organization_id`)} = ${organizationId}`)
  if (after !== undefined) conditions.push(sql`${id} < ${after}`)
  const which = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  return sql`${which} order by ${id} desc limit ${limit}`
}

/** Filters a column by one value, if given. */
export function equal(column: string, value: string | undefined): RawBuilder<unknown>[] {
  return value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`]
}

/** Whether a list has filters besides its organization: a page may then read many rows. */
export function isFiltered(query: PageQuery): boolean {
  const { after: _after, organizationId: _organization, id: _id, limit: _limit, ...filters } = query
  return Object.values(filters).some((value) => value !== undefined)
}
