import { type RawBuilder, sql } from 'kysely'
import type { AssetStore, StoredGroup } from '../../../ports/asset-store.ts'
import { columnsAs } from '../columns-as.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { queueCopies } from '../erasures/vendor-removals.ts'
import { RollbackWith } from '../rollback-with.ts'
import { read, type StatementsOf, single, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { TICKET_END } from './verifications.ts'

export const ASSET_GROUPS = {
  findGroup: read(async (db, { id, organizationId }) => {
    const { rows } = await sql<StoredGroup>`
      select ${GROUP_COLUMNS} from asset_groups
      where id = ${id} and organization_id = ${organizationId}`.execute(db)
    return rows[0] && { ...rows[0] }
  }),

  findDefaultGroup: read(findDefaultGroup),
  claimDefaultGroup: write(claimDefaultGroup),
  releaseDefaultGroup: single(releaseDefaultGroup),
  setDefaultGroup: write(setDefaultGroup),
  bindPerson: write(bindPerson),
} satisfies Partial<StatementsOf<AssetStore>>

/** A lease that ends this much later than a new one would is replaced, because the clock was set back since. */
const CLOCKS_APART_MS = 60_000

type DefaultGroupClaim = Parameters<AssetStore['claimDefaultGroup']>[0]

/**
 * Claims the creation of a default group. Locks the claim's row first, as `setDefaultGroup` does, so that a
 * transaction that waited for the lock reads the group that the other transaction stored.
 */
export async function claimDefaultGroup(db: Db, claim: DefaultGroupClaim): Promise<boolean> {
  if (!(await takeLease(db, claim))) return false
  const group = await findDefaultGroup(db, claim)
  if (group?.ticket !== claim.seenTicket) throw new RollbackWith(false)
  return true
}

async function takeLease(db: Db, input: DefaultGroupClaim): Promise<boolean> {
  const { organizationId, provider, nowMs, leaseUntilMs } = input
  const { numAffectedRows } = await sql`
    insert into default_group_claims (organization_id, provider, lease_until_ms)
    values (${organizationId}, ${provider}, ${leaseUntilMs})
    on conflict (organization_id, provider) do update set lease_until_ms = excluded.lease_until_ms
    where default_group_claims.lease_until_ms <= ${nowMs}
      or default_group_claims.lease_until_ms > ${leaseUntilMs + CLOCKS_APART_MS}`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Stores the group of a verified person. Locks the group before the verification, like an erasure. A verification that
 * lists the person as erased, or that was deleted with its organization, binds nothing. An existing row gets the same
 * ticket again, because `returning` returns only written rows.
 */
export async function bindPerson(
  db: Db,
  group: StoredGroup,
  by: Parameters<AssetStore['bindPerson']>[1],
  { lockRows }: EngineTraits,
): Promise<StoredGroup | undefined> {
  const { id, organizationId, provider, ticket, createdAtMs } = group
  await sql`
    select id from asset_groups where organization_id = ${organizationId} and provider = ${provider}
      and ticket = ${ticket} and kind = 'person' ${lockRows}`.execute(db)
  if (by !== undefined && !(await mayBind(db, { id: by.verificationId, ticket }, lockRows))) {
    const copies = { provider, groupTicket: ticket, assets: [] }
    if (by.isRemover) await queueCopies(db, copies, { organizationId, atMs: createdAtMs })
    return undefined
  }
  const { rows } = await sql<StoredGroup>`
    insert into asset_groups (id, organization_id, kind, provider, ticket, created_at_ms)
    values (${id}, ${organizationId}, 'person', ${provider}, ${ticket}, ${createdAtMs})
    on conflict (organization_id, provider, ticket) where kind = 'person' do update set ticket = excluded.ticket
    returning ${GROUP_COLUMNS}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`the group ${id} was not stored`)
  return { ...row }
}

async function mayBind(
  db: Db,
  { id, ticket }: { id: string; ticket: string },
  lockRows: RawBuilder<unknown>,
): Promise<boolean> {
  const { rows } = await sql<{ erased_tickets: string | null }>`
    select erased_tickets from verifications where id = ${id} ${lockRows}`.execute(db)
  const [verification] = rows
  return verification !== undefined && !verification.erased_tickets?.split(TICKET_END).includes(ticket)
}

/** Returns undefined when there is none, also while another process creates it. */
export async function findDefaultGroup(
  db: Db,
  { organizationId, provider }: { organizationId: string; provider: string },
): Promise<StoredGroup | undefined> {
  const { rows } = await sql<StoredGroup>`
    select ${GROUP_COLUMNS} from asset_groups
    where organization_id = ${organizationId} and provider = ${provider} and kind = 'default'`.execute(db)
  return rows[0] && { ...rows[0] }
}

/** Deletes the claim whose lease ends at this time. A newer claim of another process stays. */
export async function releaseDefaultGroup(
  db: Db,
  { organizationId, provider, leaseUntilMs }: Parameters<AssetStore['releaseDefaultGroup']>[0],
): Promise<void> {
  await sql`
    delete from default_group_claims
    where organization_id = ${organizationId} and provider = ${provider}
      and lease_until_ms = ${leaseUntilMs}`.execute(db)
}

/**
 * Stores a default group. Assets refer to it by our id, so a group that is created again gets only a new ticket. The
 * organization is locked before the group is written: then an erasure waits and lists the group, or has already disabled
 * the organization.
 */
export async function setDefaultGroup(
  db: Db,
  group: Parameters<AssetStore['setDefaultGroup']>[0],
  { lockRows }: EngineTraits,
): Promise<StoredGroup | undefined> {
  const { id, organizationId, provider, ticket, createdAtMs, insteadOf = null, isRemover } = group
  await sql`
    delete from default_group_claims
    where organization_id = ${organizationId} and provider = ${provider}`.execute(db)
  if (await isDisabled(db, organizationId, lockRows)) {
    const copies = { provider, groupTicket: ticket, assets: [] }
    if (isRemover) await queueCopies(db, copies, { organizationId, atMs: createdAtMs })
    return undefined
  }
  const { rows } = await sql<StoredGroup>`
    insert into asset_groups (id, organization_id, kind, provider, ticket, created_at_ms)
    values (${id}, ${organizationId}, 'default', ${provider}, ${ticket}, ${createdAtMs})
    on conflict (organization_id, provider) where kind = 'default' do update
    set ticket = case when asset_groups.ticket = ${insteadOf} then excluded.ticket else asset_groups.ticket end
    returning ${GROUP_COLUMNS}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`the default group of ${organizationId} was not stored`)
  return { ...row }
}

async function isDisabled(db: Db, organizationId: string, lockRows: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ disabled_at_ms: number | null }>`
    select disabled_at_ms from organizations where id = ${organizationId} ${lockRows}`.execute(db)
  return rows[0] !== undefined && rows[0].disabled_at_ms !== null
}

export const GROUP_COLUMNS = columnsAs('asset_groups', [
  'id',
  'organizationId',
  'kind',
  'provider',
  'ticket',
  'createdAtMs',
])
