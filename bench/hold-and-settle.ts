import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openPostgresStore } from '../src/adapters/postgres/open-store.ts'
import { openSqliteStore } from '../src/adapters/sqlite/open-store.ts'
import type { Store } from '../src/ports/store.ts'
import { SILENT_LOG } from '../test/engines/store/silent-log.ts'
import { startPostgres } from '../test/servers/postgres-server.ts'
import { SILENT_METRICS } from '../test/silent-metrics.ts'
import { freshFolder } from './gateway.ts'
import {
  AMOUNT_MICROS,
  COST_MICROS,
  giveCredit,
  IN_FLIGHT,
  inParallel,
  type LedgerRun,
  ORGANIZATION_ID,
} from './ledger-run.ts'
import { median } from './median.ts'
import { bareLedgerPostgres } from './peers/bare-ledger-postgres.ts'
import { bareLedgerSqlite } from './peers/bare-ledger-sqlite.ts'

const ROUNDS = 5
const PAIRS = 2_000
const POOL_CONNECTIONS = 10
const GOAL = 0.6

/** Pairs of a hold and its settlement, each durable before the next step, beside the bare statements they need. */
export async function holdAndSettle(): Promise<void> {
  await onSqlite()
  await onPostgres()
}

async function onSqlite(): Promise<void> {
  const dataDir = freshFolder()
  const store = await openSqliteStore({ dataDir, role: 'server', log: SILENT_LOG })
  await giveCredit(store)
  const path = join(dataDir, 'sluice.db')
  await compare([
    bareLedgerSqlite(path, { pairsPerCommit: 1 }),
    bareLedgerSqlite(path, { pairsPerCommit: IN_FLIGHT }),
    onStore('Sluice on SQLite', store),
  ])
  rmSync(dataDir, { recursive: true })
}

async function onPostgres(): Promise<void> {
  const server = await startPostgres()
  const store = await openPostgresStore({
    url: server.url,
    role: 'server',
    log: SILENT_LOG,
    metrics: SILENT_METRICS,
    maxConnections: POOL_CONNECTIONS,
  })
  await giveCredit(store)
  await compare([
    bareLedgerPostgres(server.url, { connections: POOL_CONNECTIONS }),
    onStore('Sluice on PostgreSQL', store),
  ])
  await server.remove()
}

function onStore(name: string, { ledger, close }: Store): LedgerRun {
  return {
    name,
    run: (ids) =>
      inParallel(ids, IN_FLIGHT, async (id) => {
        const held = await ledger.hold({
          id,
          organizationId: ORGANIZATION_ID,
          userId: 'usr_bench',
          day: '2030-01-01',
          taskId: id,
          amountMicros: AMOUNT_MICROS,
          createdAtMs: 0,
          expiresAtMs: 1,
        })
        if (held.kind !== 'held') throw new Error(`a hold was answered with ${held.kind}`)
        const cost = { unit: 'second', quantity: 1, priceMicros: COST_MICROS } as const
        await ledger.settle({ holdId: id, entryId: `${id}-entry`, cost, atMs: 2 })
      }),
    close,
  }
}

/** The last of the runs is ours; the others take turns with it. */
async function compare(runs: LedgerRun[]): Promise<void> {
  const rates = new Map<LedgerRun, number[]>(runs.map((run) => [run, []]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const run of runs) {
      const ids = Array.from({ length: PAIRS }, (_, index) => `${run.name}-${round}-${index}`)
      const began = performance.now()
      await run.run(ids)
      // The first round warms up.
      if (round > 0) rates.get(run)?.push(PAIRS / ((performance.now() - began) / 1_000))
    }
  }
  for (const run of runs) await run.close()
  report(runs.map((run) => ({ name: run.name, pairsPerSecond: median(rates.get(run) ?? []) })))
}

function report(rows: { name: string; pairsPerSecond: number }[]): void {
  const ours = rows.at(-1)?.pairsPerSecond ?? NaN
  console.table(
    Object.fromEntries(
      rows.map(({ name, pairsPerSecond }) => [
        name,
        {
          'hold + settle pairs/s': Math.round(pairsPerSecond),
          'Sluice against it': `${((ours / pairsPerSecond) * 100).toFixed(0)} %`,
        },
      ]),
    ),
  )
  for (const { name, pairsPerSecond } of rows.slice(0, -1)) {
    const share = ours / pairsPerSecond
    console.log(
      `${(share * 100).toFixed(0)} % of ${name} (goal ${GOAL * 100} %: ${share >= GOAL ? 'reached' : 'MISSED'})`,
    )
  }
}
