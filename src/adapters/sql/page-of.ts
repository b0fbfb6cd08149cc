import { type RawBuilder, sql } from 'kysely'
import type { PageQuery } from '../../ports/page-query.ts'

/**
 * The end of a statement that reads one page, newest first. Ids sort by time, so it walks the primary key backwards, or
 * the index on organization and id; a page costs the same however deep it lies.
 */
export function pageOf(
  table: string,
  { after, organizationId, id: only, limit }: PageQuery,
): RawBuilder<unknown> {
  const id = sql.ref(`${table}.id`)
  const conditions: RawBuilder<unknown>[] = []
  if (only !== undefined) conditions.push(sql`${id} = ${only}`)
  if (organizationId !== undefined)
    conditions.push(sql`${sql.ref(`${table}.organization_id`)} = ${organizationId}`)
  if (after !== undefined) conditions.push(sql`${id} < ${after}`)
  const which = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  return sql`${which} order by ${id} desc limit ${limit}`
}
