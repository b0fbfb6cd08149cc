import type { Selectable } from 'kysely'
import type { ProviderStore, StoredProvider } from '../../../ports/providers.ts'
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

  /** Changes only the version that was read: of two operators, the second has to read again. */
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
    const { open } = await db
      .selectFrom('video_tasks')
      .select((row) => row.fn.countAll().as('open'))
      .where('status', 'in', ['submitting', 'queued', 'running'])
      .where('provider', '=', name)
      .executeTakeFirstOrThrow()
    const openTasks = Number(open)
    if (openTasks > 0) return { removed: false, openTasks }
    const { numDeletedRows } = await db.deleteFrom('providers').where('name', '=', name).executeTakeFirst()
    if (numDeletedRows !== 1n) return { removed: false, openTasks }
    await insertAudit(db, audit)
    return { removed: true, openTasks }
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

type Changeable = Omit<StoredProvider, 'id' | 'name' | 'createdAtMs'>

function changeableColumns(provider: Changeable) {
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
