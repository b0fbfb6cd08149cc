import { Client } from 'pg'
import { openPostgresStore } from '../../../src/adapters/postgres/open-store.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'
import { SILENT_LOG } from './silent-log.ts'
import { describeStore } from './store-contract.ts'
import { watchedPools } from './watched-pools.ts'

describeStore('PostgreSQL', async () => {
  const database = await freshDatabase()
  const open = () =>
    openPostgresStore({ role: 'server', url: database.url, log: SILENT_LOG, metrics: watchedPools() })
  const store = await open()
  const operator = new Client({ connectionString: database.url })
  await operator.connect()
  return {
    store,
    runSql: async (text) => (await operator.query(text)).rows,
    runAll: async (text) => void (await operator.query(text)),
    runUnchecked: async (text) => {
      const name = 'organizations_prepaid_covers_holds'
      // `not valid` applies the constraint only to rows that are written from now on.
      await operator.query(`
        begin; alter table organizations drop constraint ${name}; ${text};
        alter table organizations
          add constraint ${name} check (billing <> 'prepaid' or balance_micros >= held_micros) not valid;
        commit`)
    },
    openAgain: open,
    cleanUp: async () => {
      await operator.end()
      await store.close()
      await database.drop()
    },
  }
})
