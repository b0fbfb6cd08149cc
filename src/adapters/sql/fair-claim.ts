import { type RawBuilder, sql } from 'kysely'
import type { DueClaim, More } from '../../ports/tasks.ts'
import type { EngineTraits } from './engine-traits.ts'
import type { Db } from './tables.ts'

/** Table of due rows, with an index `<table>_due` on `waiting`, organization and due column. */
export interface Queue {
  table: 'video_tasks' | 'video_callbacks' | 'assets' | 'events' | 'clips'
  waiting: RawBuilder<unknown>
  dueColumn: 'next_poll_at_ms' | 'next_attempt_at_ms'
}

/** Rows that a claim takes. The claim sets their due time and their fence, and the columns in `also`. */
interface LeasedRows<Row> {
  queue: Queue
  columns: RawBuilder<Row>
  also?: RawBuilder<unknown>
}

/** Claims due rows until the end of a lease, a share for each organization. */
export async function claimRows<Row extends { organizationId: string }>(
  db: Db,
  leased: LeasedRows<Row>,
  claim: DueClaim,
  traits: EngineTraits,
): Promise<{ rows: Row[]; more: More }> {
  const { shares, moreAfter } = await shareOut(db, leased.queue, claim)
  if (shares.length === 0) return { rows: [], more: moreAfter(new Map()) }
  const { rows } = await claimRowsQuery(leased, { ...claim, shares }, traits).execute(db)
  const counts = new Map<string, number>()
  for (const { organizationId: id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1)
  return { rows, more: moreAfter(counts) }
}

/** Postpones due rows to the end of the lease: they leave the front of the index, and are due again after a crash. */
export function claimRowsQuery<Row>(
  { queue, columns, also = sql`` }: LeasedRows<Row>,
  claim: Pick<DueClaim, 'nowMs' | 'leaseUntilMs'> & { shares: readonly OrganizationShare[] },
  { lockRowsSkippingLocked }: EngineTraits,
): RawBuilder<Row> {
  const { nowMs, leaseUntilMs, shares } = claim
  return sql`
    with due as materialized (${dueRows(queue, shares, { nowMs, lockRowsSkippingLocked })})
    update ${sql.table(queue.table)} set ${sql.ref(queue.dueColumn)} = ${leaseUntilMs}, fence = fence + 1 ${also}
    where id in (select id from due) returning ${columns}`
}

/** Number of rows that a claim may take of an organization. */
interface OrganizationShare {
  organizationId: string
  limit: number
}

/** Maximum numbers of organizations that one claim scans and serves; the next claim continues. */
const SCANNED_MAX = 256
const SERVED_MAX = 32

/**
 * Divides a claim among organizations, because thousands of due rows of one organization must not delay others. A claim
 * first finds the organizations with due rows, with one index step each, and then takes the oldest rows of each.
 */
export async function shareOut(
  db: Db,
  queue: Queue,
  { nowMs, limit, share }: Pick<DueClaim, 'nowMs' | 'limit' | 'share'>,
): Promise<{ shares: OrganizationShare[]; moreAfter(counts: ReadonlyMap<string, number>): More }> {
  const { perOrganizationMax = limit, inHand = {}, after = '' } = share ?? {}
  const found = await dueOrganizationsQuery(queue, { after }).execute(db)
  const rows = found.rows.toSorted((one, other) => one.position - other.position)
  const roomOf = (id: string) => perOrganizationMax - (inHand[id] ?? 0)
  const due = rows.filter(({ first_ms }) => first_ms <= nowMs).map((row) => row.organization_id)
  const allowed = due.filter((id) => roomOf(id) > 0)
  const served = allowed.slice(0, Math.min(limit, SERVED_MAX))
  const most = Math.max(1, Math.floor(limit / served.length))
  const shares = served.map((id) => ({ organizationId: id, limit: Math.min(most, roomOf(id)) }))
  return {
    shares,
    moreAfter(counts) {
      if (served.length < allowed.length) return served.at(-1)
      if (rows.length === SCANNED_MAX) return rows.at(-1)?.organization_id
      const isCut = shares.some((each) => counts.get(each.organizationId) === each.limit)
      return isCut || after !== '' ? '' : undefined
    },
  }
}

/** Jumps in the index from one organization to the next, without reading the rows between. */
export function dueOrganizationsQuery(
  { table, waiting, dueColumn }: Queue,
  { after }: { after: string },
): RawBuilder<{ organization_id: string; position: number; first_ms: number }> {
  const rows = sql.table(table)
  const nextAfter = (id: RawBuilder<unknown>) =>
    sql`(select organization_id from ${rows} where ${waiting} and organization_id > ${id} order by organization_id limit 1)`
  return sql`
    with recursive owners (organization_id, position) as (
      select ${nextAfter(sql`${after}`)}, 1
      union all
      select ${nextAfter(sql`owners.organization_id`)}, position + 1
      from owners where owners.organization_id is not null and position < ${sql.lit(SCANNED_MAX)}
    )
    select organization_id, position, (
      select ${sql.ref(dueColumn)} from ${rows} as own
      where ${waiting} and own.organization_id = owners.organization_id order by ${sql.ref(dueColumn)} limit 1
    ) as first_ms
    from owners where organization_id is not null`
}

/** Numbers of shares per statement: few, so that an engine can keep the statements prepared. */
const SIZES = [1, 8, SERVED_MAX] as const

/** Selects the oldest due rows of each share, to be materialized: a second run would lock more rows. */
export function dueRows(
  { table, waiting, dueColumn }: Queue,
  shares: readonly OrganizationShare[],
  { nowMs, lockRowsSkippingLocked }: Pick<EngineTraits, 'lockRowsSkippingLocked'> & { nowMs: number },
): RawBuilder<unknown> {
  const size = SIZES.find((each) => each >= shares.length) ?? SERVED_MAX
  const filled = Array.from({ length: size }, (_, index) => shares[index] ?? { organizationId: '', limit: 0 })
  const selects = filled.map(
    ({ organizationId, limit }, index) => sql`
      select id from (
        select id from ${sql.table(table)}
        where ${waiting} and organization_id = ${organizationId} and ${sql.ref(dueColumn)} <= ${nowMs}
        order by ${sql.ref(dueColumn)} limit ${limit} ${lockRowsSkippingLocked}
      ) as ${sql.ref(`share_${index}`)}`,
  )
  return sql.join(selects, sql` union all `)
}
