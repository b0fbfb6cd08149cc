import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../../src/adapters/postgres/open-store.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { watchedPools } from '../../engines/store/watched-pools.ts'
import { databaseWithTables } from '../../servers/fresh-database.ts'

const SEARCH = {
  organizationId: 'org_1',
  groupId: 'grp_1',
  statuses: undefined,
  name: 'x',
  page: 1,
  limit: 10,
  sortBy: 'create_time',
  sortOrder: 'desc',
} as const

test('long searches leave most connections of PostgreSQL to all other work', async () => {
  const database = await databaseWithTables()
  onTestFinished(() => database.drop())
  const metrics = watchedPools()
  const options = { url: database.url, log: SILENT_LOG, metrics, maxConnections: 8 }
  const store = await openPostgresStore({ role: 'server', ...options })
  onTestFinished(() => store.close())
  const operator = new Client({ connectionString: database.url })
  await operator.connect()
  onTestFinished(() => operator.end())
  await operator.query(`
    insert into organizations (id, name, billing, webhook_secret, created_at_ms)
      values ('org_1', '', 'prepaid', '', 1);
    insert into asset_groups (id, organization_id, kind, provider, ticket, created_at_ms)
      values ('grp_1', 'org_1', 'default', 'vendorA', '', 1);
    insert into asset_counts (organization_id, group_id, status, assets)
      values ('org_1', 'grp_1', 'active', 100000)`)
  // Every reader of assets waits for this transaction.
  await operator.query('begin; lock table assets in access exclusive mode')
  const searches = Array.from({ length: 20 }, () => store.assets.list(SEARCH))
  const answers = Promise.allSettled(searches)
  const readPool = metrics.pools.get('postgres') ?? expect.fail('the pool is not watched')
  await expect.poll(() => readPool().busy).toBe(2)
  await expect(store.organizations.find('org_1')).resolves.toMatchObject({ id: 'org_1' })
  expect(readPool().waiting).toBe(0)
  await operator.query('rollback')
  await answers
})
