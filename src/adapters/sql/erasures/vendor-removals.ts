import { sql } from 'kysely'
import type { ErasedGroup, ErasureStore, Removal } from '../../../ports/erasures.ts'
import { inChunks } from '../in-chunks.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'

export const VENDOR_REMOVALS = {
  /** A group waits until its assets are removed. A group that an organization has verified again is not removed. */
  claimRemovals: write(async (db, { provider, nowMs, leaseUntilMs, limit }, { lockRowsSkippingLocked }) => {
    await sql`
      delete from vendor_removals where provider = ${provider} and kind = 'group' and due_at_ms <= ${nowMs}
        and exists (
          select 1 from asset_groups
          where asset_groups.provider = vendor_removals.provider and asset_groups.ticket = vendor_removals.ticket
        )`.execute(db)
    const { rows } = await sql<Removal>`
      with due as materialized (
        select kind, ticket from vendor_removals as one
        where provider = ${provider} and due_at_ms <= ${nowMs} and (kind = 'asset' or not exists (
          select 1 from vendor_removals as asset
          where asset.provider = one.provider and asset.group_ticket = one.group_ticket and asset.kind = 'asset'
        ))
        order by due_at_ms limit ${limit} ${lockRowsSkippingLocked}
      )
      update vendor_removals set due_at_ms = ${leaseUntilMs}, attempts = attempts + 1
      where provider = ${provider} and (kind, ticket) in (select kind, ticket from due)
      returning provider, kind, ticket, organization_id as "organizationId", attempts`.execute(db)
    return rows.map((row) => ({ ...row }))
  }),

  finishRemoval: write(async (db, removal) => {
    await sql`delete from vendor_removals where ${isRemoval(removal)}`.execute(db)
  }),

  postponeRemoval: write(async (db, { dueAtMs, ...removal }) => {
    await sql`update vendor_removals set due_at_ms = ${dueAtMs} where ${isRemoval(removal)}`.execute(db)
  }),
} satisfies Partial<StatementsOf<ErasureStore>>

function isRemoval({ provider, kind, ticket }: Pick<Removal, 'provider' | 'kind' | 'ticket'>) {
  return sql`provider = ${provider} and kind = ${kind} and ticket = ${ticket}`
}

/** Queues the removal of assets, and of the group unless an organization uses it. */
export async function queueRemovals(
  db: Db,
  erased: Pick<ErasedGroup, 'provider' | 'groupTicket' | 'isShared'> & {
    assets: readonly { ticket: string }[]
  },
  { organizationId, atMs }: { organizationId: string; atMs: number },
): Promise<void> {
  const { provider, groupTicket, isShared, assets } = erased
  const copies = assets.map(({ ticket }) => ({ kind: 'asset', ticket }))
  if (!isShared) copies.push({ kind: 'group', ticket: groupTicket })
  for (const chunk of inChunks(copies)) {
    const rows = chunk.map(
      ({ kind, ticket }) =>
        sql`(${provider}, ${kind}, ${ticket}, ${groupTicket}, ${organizationId}, ${atMs}, ${atMs})`,
    )
    await sql`
      insert into vendor_removals (provider, kind, ticket, group_ticket, organization_id, created_at_ms, due_at_ms)
      values ${sql.join(rows)} on conflict (provider, kind, ticket) do nothing`.execute(db)
  }
}

/** Queues copies that reached the vendor after the erasure, and their group if it is unused. */
export async function queueCopies(
  db: Db,
  copies: Pick<ErasedGroup, 'provider' | 'groupTicket'> & { assets: readonly { ticket: string }[] },
  act: { organizationId: string; atMs: number },
): Promise<void> {
  await queueRemovals(db, { ...copies, isShared: await isGroupInUse(db, copies) }, act)
}

export async function isGroupInUse(
  db: Db,
  { provider, groupTicket }: Pick<ErasedGroup, 'provider' | 'groupTicket'>,
): Promise<boolean> {
  const { rows } = await sql`
    select id from asset_groups where provider = ${provider} and ticket = ${groupTicket} limit 1`.execute(db)
  return rows.length > 0
}
