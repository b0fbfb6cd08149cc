import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteStore } from '../../../src/adapters/sqlite/open-store.ts'
import type { Store } from '../../../src/ports/store.ts'
import { SILENT_LOG } from '../store/silent-log.ts'

export interface StoreInFolder {
  store: Store
  /** Deletes models, organizations and audit rows: opening another store costs far more than a test. */
  empty(): void
  close(): Promise<void>
}

/** Opens a store in a temporary folder, which its close deletes. */
export async function openStoreInFolder(): Promise<StoreInFolder> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-catalog-'))
  const store = await openSqliteStore({ dataDir, role: 'server', log: SILENT_LOG })
  const operator = new DatabaseSync(join(dataDir, 'sluice.db'), { timeout: 5_000 })
  return {
    store,
    empty: () => operator.exec('delete from models; delete from organizations; delete from audit_events'),
    async close() {
      operator.close()
      await store.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}
