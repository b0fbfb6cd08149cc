import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteStore } from '../../../src/adapters/sqlite/open-store.ts'
import { SILENT_LOG } from './silent-log.ts'
import { describeStore } from './store-contract.ts'

describeStore('SQLite', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-store-'))
  const store = await openSqliteStore({ dataDir, role: 'server', log: SILENT_LOG })
  const operator = new DatabaseSync(join(dataDir, 'sluice.db'), { timeout: 5_000 })
  return {
    store,
    runSql: async (text) =>
      operator
        .prepare(text)
        .all()
        .map((row) => ({ ...row })),
    runAll: async (text) => operator.exec(`begin immediate; ${text} commit`),
    runUnchecked: async (text) => {
      operator.exec(`pragma ignore_check_constraints = on; ${text}; pragma ignore_check_constraints = off`)
    },
    openAgain: () => openSqliteStore({ dataDir, role: 'beside', log: SILENT_LOG }),
    cleanUp: async () => {
      operator.close()
      await store.close()
      rmSync(dataDir, { recursive: true })
    },
  }
})
