import { type Selectable, sql } from 'kysely'
import type { ProviderStore, ProviderWork, StoredProvider } from '../../../ports/providers.ts'
import { insertAudit } from '../audit/audits.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'

export const PROVIDERS = {
  version: read(async (db) => {
    const row = await db.selectFrom('provider_changes').select('version').executeTakeFirst()
    return row?.version ?? 0
  }),

  list: read(async (db) => {
    const rows = await db.selectFrom('providers').selectAll().orderBy('name').execute()
    return rows.map(toProvider)
  }),

  add: write(async (db, provider, audit) => {
    const version = await raiseVersion(db)
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('providers')
      .values({
        id: provider.id,
        name: provider.name,
        created_at_ms: provider.createdAtMs,
        ...changeableColumns({ ...provider, version }),
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows !== 1n) return false
    await insertAudit(db, audit)
    return true
  }),

  /** Changes only the version that was read. The second of two simultaneous operators has to read again. */
  change: write(async (db, change, audit) => {
    const version = await raiseVersion(db)
    const { numUpdatedRows } = await db
      .updateTable('providers')
      .set(changeableColumns({ ...change, version }))
      .where('id', '=', change.id)
      .where('version', '=', change.version)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
    await insertAudit(db, audit)
    return true
  }),

  remove: write(async (db, name, audit) => {
    await raiseVersion(db)
    const { rows } = await sql<ProviderWork & { isDisabled: number }>`
      select
        (select count(*) from providers where name = ${name} and state = 'disabled') as "isDisabled",
        (select count(*) from video_tasks
          where provider = ${name} and status in ('submitting', 'queued', 'running')) as tasks,
        (select count(*) from assets where provider = ${name} and status = 'processing') as assets,
        (select count(*) from vendor_removals where provider = ${name}) as copies`.execute(db)
    const { tasks = 0, assets = 0, copies = 0, isDisabled = 0 } = rows[0] ?? {}
    // Only an enabled provider ends the work on assets. An operator who disables it gives that work up.
    const work = isDisabled > 0 ? { tasks, assets: 0, copies: 0 } : { tasks, assets, copies }
    if (Object.values(work).some((count) => count > 0)) return { removed: false, work }
    const { numDeletedRows } = await db.deleteFrom('providers').where('name', '=', name).executeTakeFirst()
    const givenUp = { processing_assets: String(assets), erased_copies: String(copies) }
    const detail = assets + copies > 0 ? { ...audit.detail, ...givenUp } : audit.detail
    if (numDeletedRows === 1n) await insertAudit(db, { ...audit, detail })
    return { removed: numDeletedRows === 1n, work }
  }),
} satisfies StatementsOf<ProviderStore>

/** Runs first in every change. Its lock serializes changes, so that versions are committed in order. */
async function raiseVersion(db: Db): Promise<number> {
  const row = await db
    .insertInto('provider_changes')
    .values({ id: 1, version: 1 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({ version: row('provider_changes.version', '+', 1) })),
    )
    .returning('version')
    .executeTakeFirstOrThrow()
  return row.version
}

function changeableColumns(provider: Omit<StoredProvider, 'id' | 'name' | 'createdAtMs'>) {
  return {
    driver: provider.driver,
    settings: JSON.stringify(provider.settings),
    models: provider.models === null ? null : JSON.stringify(provider.models),
    sealed_secrets: provider.encryptedSecrets,
    state: provider.state,
    version: provider.version,
    changed_at_ms: provider.changedAtMs,
  }
}

function toProvider(row: Selectable<Tables['providers']>): StoredProvider {
  const { id, name, driver, state, version } = row
  return {
    ...{ id, name, driver, state, version },
    settings: JSON.parse(row.settings),
    models: row.models === null ? null : JSON.parse(row.models),
    encryptedSecrets: row.sealed_secrets,
    createdAtMs: row.created_at_ms,
    changedAtMs: row.changed_at_ms,
  }
}
