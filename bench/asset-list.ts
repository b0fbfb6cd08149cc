import { rmSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { openPostgresStore } from '../src/adapters/postgres/open-store.ts'
import { openSqliteStore } from '../src/adapters/sqlite/open-store.ts'
import type { AssetStore } from '../src/ports/asset-store.ts'
import type { Store } from '../src/ports/store.ts'
import { SILENT_LOG } from '../test/engines/store/silent-log.ts'
import { startPostgres } from '../test/servers/postgres-server.ts'
import { SILENT_METRICS } from '../test/silent-metrics.ts'
import { assetShapes } from './asset-list-shapes.ts'
import { atMost, type Figures } from './figures.ts'
import { freshFolder } from './gateway.ts'
import { giveCredit, inParallel, ORGANIZATION_ID } from './ledger-run.ts'
import { amountOf, inTurn, median } from './rounds.ts'

const MANY = amountOf(50_000)
const FEW = 200
const PAGE = 10
const READS = 300
const TIMES_MAX = 2

/** Reads the third page of a group's assets, newest first, with their total: a group of 50,000 beside one of 200. */
export async function assetList(): Promise<Figures[]> {
  const dataDir = freshFolder()
  const sqlite = await openSqliteStore({ dataDir, role: 'server', log: SILENT_LOG })
  const figures = await compare('SQLite', sqlite, { atOnce: 256 })
  await sqlite.close()
  rmSync(dataDir, { recursive: true })

  const server = await startPostgres()
  const postgres = await openPostgresStore({
    url: server.url,
    role: 'server',
    log: SILENT_LOG,
    metrics: SILENT_METRICS,
  })
  figures.push(...(await compare('PostgreSQL', postgres, { atOnce: 32 })))
  await postgres.close()
  await server.remove()
  return figures
}

async function compare(engine: string, store: Store, { atOnce }: { atOnce: number }): Promise<Figures[]> {
  await giveCredit(store)
  const counts = [MANY, FEW]
  for (const count of counts) await fill(store, count, atOnce)
  const measure = async (count: number) => {
    const began = performance.now()
    for (let read = 0; read < READS; read++) await readPage(store, count)
    return ((performance.now() - began) / READS) * 1_000
  }
  for (const count of counts) await measure(count)
  const [many = NaN, few = NaN] = [...(await inTurn(counts, measure)).values()].map(median)
  const shapes = await assetShapes({ engine, assets: store.assets, count: MANY, query: queryOf(MANY) })
  return [
    {
      title: `Third page of a group's assets on ${engine}`,
      rows: { [`of ${MANY}`]: { 'us/page': many }, [`of ${FEW}`]: { 'us/page': few } },
      goals: [atMost(`Asset page on ${engine}, ${MANY} beside ${FEW}`, many / few, TIMES_MAX, 'times')],
    },
    shapes,
  ]
}

async function fill({ assets }: Store, count: number, atOnce: number): Promise<void> {
  const groupId = `grp_${count}`
  await assets.bindPerson(
    {
      id: groupId,
      organizationId: ORGANIZATION_ID,
      kind: 'person',
      provider: 'vendorA',
      ticket: groupId,
      createdAtMs: 0,
    },
    undefined,
  )
  const numbers = Array.from({ length: count }, (_, index) => String(index))
  await inParallel(numbers, atOnce, async (number) => {
    await assets.create(
      {
        id: `${groupId}_${number.padStart(7, '0')}`,
        organizationId: ORGANIZATION_ID,
        groupId,
        type: 'Image',
        name: `portrait ${number}`,
        ticket: `${groupId}_${number}`,
        createdAtMs: Number(number),
        nextPollAtMs: Number.MAX_SAFE_INTEGER,
      },
      undefined,
    )
  })
}

async function readPage(store: Store, count: number): Promise<void> {
  const { assets, totalCount } = await store.assets.list(queryOf(count))
  if (assets.length !== PAGE || totalCount !== count) throw new Error(`${assets.length} of ${totalCount}`)
}

function queryOf(count: number): Parameters<AssetStore['list']>[0] {
  return {
    organizationId: ORGANIZATION_ID,
    groupId: `grp_${count}`,
    statuses: undefined,
    name: undefined,
    page: 3,
    limit: PAGE,
    sortBy: 'create_time',
    sortOrder: 'desc',
  }
}
