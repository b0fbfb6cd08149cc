import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listAssets, searchAssets } from '../../../src/adapters/sql/assets/list-assets.ts'
import { operationOf } from '../../../src/adapters/sql/statements.ts'
import { migrateSqlite } from '../../../src/adapters/sqlite/migrate.ts'
import { queryBuilder } from '../../../src/adapters/sqlite/query-builder.ts'
import { openReader, type Reader } from '../../../src/adapters/sqlite/reader.ts'
import { SILENT_LOG } from '../store/silent-log.ts'

const COUNT = 10_000
const QUERY = {
  organizationId: 'org_1',
  groupId: 'grp_1',
  statuses: undefined,
  name: undefined,
  page: 1,
  limit: 10,
  sortBy: 'create_time',
  sortOrder: 'desc',
} as const
const LONG = [
  { ...QUERY, page: COUNT / 20 },
  { ...QUERY, name: 'no. 77' },
  { ...QUERY, statuses: ['failed', 'processing'] },
] as const

const SEARCH = operationOf('assets.list')

let dataDir: string
let database: DatabaseSync
let reader: Reader

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sluice-reader-'))
  await migrateSqlite({ dataDir })
  const path = join(dataDir, 'sluice.db')
  database = new DatabaseSync(path)
  database.exec(`
    insert into organizations (id, name, billing, webhook_secret, created_at_ms)
      values ('org_1', '', 'prepaid', '', 1);
    insert into asset_groups (id, organization_id, kind, provider, ticket, created_at_ms)
      values ('grp_1', 'org_1', 'default', 'vendorA', '', 1);
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${COUNT})
    insert into assets
      (id, organization_id, group_id, group_kind, provider, type, name, folded_name, status, ticket,
       created_at_ms, updated_at_ms, next_poll_at_ms)
    select 'ast_' || n, 'org_1', 'grp_1', 'default', 'vendorA', 'Image', 'No. ' || n, 'NO. ' || n,
      case when n <= 20 then 'failed' else 'active' end, '', n, n, n
    from numbers;
    insert into asset_counts (organization_id, group_id, status, assets)
      values ('org_1', 'grp_1', 'active', ${COUNT - 20}), ('org_1', 'grp_1', 'failed', 20)`)
  reader = openReader({ path, log: SILENT_LOG })
})

afterEach(async () => {
  await reader.close()
  database.close()
  rmSync(dataDir, { recursive: true })
})

it('only reads of many rows run on the reader', async () => {
  const db = queryBuilder(database)
  for (const query of LONG) expect(await listAssets(db, query)).toBeUndefined()
  for (const page of [1, 3, COUNT / 10]) {
    const listed = await listAssets(db, { ...QUERY, page })
    expect(listed).toMatchObject({ totalCount: COUNT, assets: { length: 10 } })
  }
})

it('gives the results of the calling thread', async () => {
  const db = queryBuilder(database)
  for (const query of [QUERY, ...LONG]) {
    expect(await reader.read(SEARCH, [query])).toEqual(await searchAssets(db, query))
  }
})

it('works while the calling thread does something else', async () => {
  const query = { ...QUERY, name: '77' }
  const own = searchAssets(queryBuilder(database), query)
  expect(await isAnsweredWithinThisTurn(own)).toBe(true)
  const read = reader.read(SEARCH, [query])
  expect(await isAnsweredWithinThisTurn(read)).toBe(false)
  expect(await read).toEqual(await own)
})

it('runs the ledger check', async () => {
  expect(await reader.read(operationOf('ledger.checkWithin'), [{ nowMs: 0, limit: 10 }])).toEqual({
    violations: [],
    unchecked: [],
  })
})

it('reports an error, and continues to work', async () => {
  database.exec('alter table asset_counts rename to elsewhere')
  await expect(reader.read(SEARCH, [QUERY])).rejects.toThrow(/asset_counts/)
  database.exec('alter table elsewhere rename to asset_counts')
  expect(await reader.read(SEARCH, [QUERY])).toMatchObject({ totalCount: COUNT })
})

it('refuses when too many reads wait, and finishes waiting reads before it closes', async () => {
  const search = (organization: number) =>
    reader.read(SEARCH, [{ ...QUERY, organizationId: `org_${organization}`, name: '77' }])
  // The first read has begun when the others are queued.
  const reads = Array.from({ length: 70 }, (_, index) => search(index))
  const results = Promise.allSettled(reads)
  await reader.close()
  const settled = await results
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(65)
  expect(settled.at(-1)).toMatchObject({ reason: { code: 'store_unavailable' } })
  await expect(reader.read(SEARCH, [QUERY])).rejects.toMatchObject({ code: 'store_unavailable' })
})

it('lets organizations take turns, and keeps room beside the organization that searches most', async () => {
  const ended: string[] = []
  const search = (organizationId: string) => {
    const found = reader.read(SEARCH, [{ ...QUERY, organizationId, name: '77' }])
    return found.finally(() => ended.push(organizationId))
  }
  const many = Promise.allSettled(Array.from({ length: 100 }, () => search('org_1')))
  await search('org_2')
  expect(ended.filter((id) => id === 'org_1').length - 67).toBeLessThanOrEqual(2)
  const settled = await many
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(33)
  expect(settled.at(-1)).toMatchObject({ reason: { code: 'rate_limit_exceeded' } })
})

/** Runs only microtasks: an answer of another thread cannot arrive before the next turn of the event loop. */
async function isAnsweredWithinThisTurn(answer: Promise<unknown>): Promise<boolean> {
  let isAnswered = false
  void answer.then(() => {
    isAnswered = true
  })
  for (let step = 0; step < 1_000; step++) await undefined
  return isAnswered
}
