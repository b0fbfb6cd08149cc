import { type RawBuilder, sql } from 'kysely'
import type { ErasedFile } from '../../../domain/video/clip.ts'
import type { NewAudit } from '../../../ports/audit.ts'
import type { ErasedGroup, ErasureStore, GroupRef, PersonReport } from '../../../ports/erasures.ts'
import { TICKET_END } from '../assets/verifications.ts'
import { insertAudit } from '../audit/audits.ts'
import { eraseClips } from '../clips/erase-clips.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { inChunks } from '../in-chunks.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'
import { isGroupInUse, queueRemovals } from './vendor-removals.ts'

export const ERASURES = {
  findPerson: read(async (db, { groupId, organizationId }) => {
    const { rows: groups } = await sql<Omit<PersonReport, 'assets'>>`
      select id, organization_id as "organizationId", provider, created_at_ms as "createdAtMs" from asset_groups
      where id = ${groupId} and organization_id = ${organizationId} and kind = 'person'`.execute(db)
    const group = groups[0]
    if (group === undefined) return undefined
    const { rows: assets } = await sql<PersonReport['assets'][number]>`
      select id, type, name, status, created_at_ms as "createdAtMs" from assets
      where group_id = ${groupId} and organization_id = ${organizationId} order by id`.execute(db)
    return { ...group, assets: assets.map((asset) => ({ ...asset })) }
  }),

  listGroups: read(async (db, organizationId) => {
    const { rows } = await sql<{ id: string }>`
      select id from asset_groups where organization_id = ${organizationId} order by id`.execute(db)
    return rows.map(({ id }) => id)
  }),

  eraseGroup: write(eraseGroup),
  /** Keeps the rows from which the ledger is computed. Locks rows in the order of `begin-task.ts`. */
  eraseOrganization: write(async (db, { id, atMs, audit }, { lockRows }) => {
    await clearAndDisable(db, { id, atMs, lockRows })
    const { numAffectedRows } = await sql`
      update organizations set name = '', events_url = null,
        disabled_at_ms = coalesce(disabled_at_ms, cast(${atMs} as bigint))
      where id = ${id}`.execute(db)
    if (numAffectedRows !== 1n) return undefined
    // Second pass, for rows that were created between the first pass and the lock of the update above. Later
    // inserts wait for a lock on the organization or on the user.
    await clearAndDisable(db, { id, atMs, lockRows })
    // A face check that ends later finds no verification, so it creates no group.
    await sql`delete from verifications where organization_id = ${id}`.execute(db)
    await sql`delete from model_aliases where organization_id = ${id}`.execute(db)
    await sql`
      update audit_events set detail = '{}'
      where organization_id = ${id} and action in (${ACTIONS_WITH_NAMES})`.execute(db)
    const files = await eraseClips(db, { where: sql`organization_id = ${id}`, reason: 'organization' })
    await insertAudit(db, audit)
    return files
  }),

  eraseUser: write(async (db, { id, atMs, audit }, { lockRows }) => {
    const { rows } = await sql<{ organizationId: string }>`
      update users set name = '', disabled_at_ms = coalesce(disabled_at_ms, cast(${atMs} as bigint)),
        erased_at_ms = coalesce(erased_at_ms, cast(${atMs} as bigint))
      where id = ${id} returning organization_id as "organizationId"`.execute(db)
    const organizationId = rows[0]?.organizationId
    if (organizationId === undefined) return undefined
    const isOwn = sql`user_id = ${id} and organization_id = ${organizationId}`
    const keyIds = await revokeKeys(db, isOwn, { atMs, lockRows })
    for (const subjects of inChunks([id, ...keyIds])) {
      await sql`
        update audit_events set detail = '{}' where organization_id = ${organizationId}
          and subject in (${sql.join(subjects)}) and action in (${ACTIONS_WITH_NAMES})`.execute(db)
    }
    await insertAudit(db, { ...audit, organizationId })
    return organizationId
  }),
} satisfies Partial<StatementsOf<ErasureStore>>

/**
 * Erases a group. Locks the group first, as uploads, tasks and verifications do. Rows of ended verifications have no
 * group id, so all these rows of the organization are deleted. Only a browser that reloads the result page needs them.
 */
export async function eraseGroup(
  db: Db,
  group: GroupRef,
  audit: NewAudit,
  deletableProviders: readonly string[],
  { lockRows }: EngineTraits,
): Promise<ErasedGroup | undefined> {
  const { groupId, organizationId } = group
  await sql`
    select id from asset_groups
    where id = ${groupId} and organization_id = ${organizationId} ${lockRows}`.execute(db)
  const files = await withholdResults(db, { groupId, atMs: audit.atMs }, lockRows)
  const { rows: assets } = await sql<{ id: string; ticket: string }>`
    delete from assets where group_id = ${groupId} and organization_id = ${organizationId}
    returning id, ticket`.execute(db)
  // Copies are erased after the assets: other transactions lock assets until they have inserted the copies.
  for (const ids of inChunks(assets.map(({ id }) => id)))
    files.push(...(await eraseClips(db, { where: sql`task_id in (${sql.join(ids)})`, reason: 'consent' })))
  await sql`
    delete from asset_counts where group_id = ${groupId} and organization_id = ${organizationId}`.execute(db)
  const { rows: groups } = await sql<{ provider: string; ticket: string }>`
    delete from asset_groups where id = ${groupId} and organization_id = ${organizationId}
    returning provider, ticket`.execute(db)
  const erased = groups[0]
  if (erased === undefined) return undefined
  await sql`
    delete from verifications where organization_id = ${organizationId}
      and ended_at_ms is not null`.execute(db)
  await sql`
    update verifications
    set erased_tickets = coalesce(erased_tickets || ${TICKET_END}, '') || cast(${erased.ticket} as text)
    where organization_id = ${organizationId} and exchanged_at_ms is not null
      and ended_at_ms is null`.execute(db)
  const vendorGroup = { provider: erased.provider, groupTicket: erased.ticket }
  await insertAudit(db, { ...audit, detail: { ...audit.detail, assets: assets.length } })
  const vendorCopies = {
    ...vendorGroup,
    isShared: await isGroupInUse(db, vendorGroup),
    assets: assets.map((asset) => ({ ...asset })),
  }
  const isQueued = deletableProviders.includes(erased.provider)
  if (isQueued) await queueRemovals(db, vendorCopies, { organizationId, atMs: audit.atMs })
  return { groupId, ...vendorCopies, isQueued, files }
}

/**
 * Withholds results of tasks that show the person, and erases their copies, and their stored requests, so that no
 * stand-in makes them. Queued tasks become due, so that the sweep cancels them at the vendor. Runs before the group is
 * deleted with its rows in `task_groups`.
 */
async function withholdResults(
  db: Db,
  { groupId, atMs }: { groupId: string; atMs: number },
  lockRows: RawBuilder<unknown>,
): Promise<ErasedFile[]> {
  const shown = sql`select task_id from task_groups where group_id = ${groupId}`
  const isWithheld = sql`id in (${shown}) and status in ('submitting', 'queued', 'running', 'succeeded')`
  await lockById(db, 'video_tasks', isWithheld, lockRows)
  await sql`
    update video_tasks set
      withheld_at_ms = coalesce(withheld_at_ms, cast(${atMs} as bigint)), sealed_content = null,
      next_poll_at_ms = case when status = 'queued' then cast(${atMs} as bigint) else next_poll_at_ms end
    where ${isWithheld}`.execute(db)
  await sql`
    update video_tasks set sealed_request = null, stand_ins = null
    where id in (${shown}) and sealed_request is not null`.execute(db)
  const files = await eraseClips(db, { where: sql`task_id in (${shown})`, reason: 'consent' })
  await sql`update clips set consent = 'withdrawn' where task_id in (${shown})`.execute(db)
  return files
}

/** Clears names, metadata and stored requests, also of open tasks; disables users and revokes keys. */
async function clearAndDisable(db: Db, { id, ...erasing }: Erasing & { id: string }): Promise<void> {
  const isFull = sql`organization_id = ${id} and (metadata <> '{}' or sealed_request is not null)`
  await lockById(db, 'video_tasks', isFull, erasing.lockRows)
  await sql`
    update video_tasks set metadata = '{}', sealed_request = null,
      stand_ins = case when sealed_request is null then stand_ins end
    where ${isFull}`.execute(db)
  await sql`
    update users set name = '', disabled_at_ms = coalesce(disabled_at_ms, cast(${erasing.atMs} as bigint))
    where organization_id = ${id} and (name <> '' or disabled_at_ms is null)`.execute(db)
  await revokeKeys(db, sql`organization_id = ${id}`, erasing)
}

/** Locks keys by id, like charges, and before their events, so that no event with their names follows. */
async function revokeKeys(db: Db, isOwn: Fragment, { atMs, lockRows }: Erasing): Promise<string[]> {
  const isNamed = sql`${isOwn} and (name <> '' or revoked_at_ms is null)`
  await lockById(db, 'api_keys', isNamed, lockRows)
  const { rows } = await sql<{ id: string }>`
    update api_keys set name = '', revoked_at_ms = coalesce(revoked_at_ms, cast(${atMs} as bigint))
    where ${isNamed} returning id`.execute(db)
  await sql`
    delete from events where type = 'key.expiring' and exists (
      select 1 from (select id from api_keys where ${isOwn}) as own
      where events.cause like 'key.expiring:' || own.id || ':%'
    )`.execute(db)
  return rows.map(({ id }) => id)
}

type Fragment = RawBuilder<unknown>

interface Erasing {
  atMs: number
  lockRows: Fragment
}

/** Locks rows in the order of other transactions, in a statement of its own, as `reportBalances` explains. */
async function lockById(db: Db, table: keyof Tables, where: Fragment, lockRows: Fragment): Promise<void> {
  const rows = sql`select id from ${sql.table(table)} where ${where} order by id ${lockRows}`
  await sql`select count(*) from (${rows}) as locked`.execute(db)
}

/** Actions whose details contain a name. */
const ACTIONS_WITH_NAMES = sql`'organization.create', 'organization.update', 'user.create', 'key.create'`
