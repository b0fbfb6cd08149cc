import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openPostgresStore } from '../src/adapters/postgres/open-store.ts'
import { openSqliteStore } from '../src/adapters/sqlite/open-store.ts'
import type { Store } from '../src/ports/store.ts'
import { SILENT_LOG } from '../test/engines/store/silent-log.ts'
import { startPostgres } from '../test/servers/postgres-server.ts'
import { SILENT_METRICS } from '../test/silent-metrics.ts'
import { type Figures, share } from './figures.ts'
import { freshFolder } from './gateway.ts'
import { giveCredit, holdOf, IN_FLIGHT, inParallel, type LedgerRun, settlementOf } from './ledger-run.ts'
import { bareLedgerPostgres } from './peers/bare-ledger-postgres.ts'
import { bareLedgerSqlite } from './peers/bare-ledger-sqlite.ts'
import { amountOf, inTurn, median } from './rounds.ts'

const PAIRS = amountOf(2_000)
const POOL_CONNECTIONS = 10
const GOAL = 0.55

/** Pairs of a hold and its settlement, each durable before the next step, beside the bare statements they need. */
export async function holdAndSettle(): Promise<Figures[]> {
  return [await onSqlite(), await onPostgres()]
}

async function onSqlite(): Promise<Figures> {
  const dataDir = freshFolder()
  const store = await openSqliteStore({ dataDir, role: 'server', log: SILENT_LOG })
  await giveCredit(store)
  const path = join(dataDir, 'sluice.db')
  const figures = await compare('SQLite', [
    await bareLedgerSqlite(path, { pairsPerCommit: 1 }),
    await bareLedgerSqlite(path, { pairsPerCommit: IN_FLIGHT }),
    onStore('Sluice on SQLite', store),
  ])
  rmSync(dataDir, { recursive: true })
  return figures
}

async function onPostgres(): Promise<Figures> {
  const server = await startPostgres()
  const store = await openPostgresStore({
    url: server.url,
    role: 'server',
    log: SILENT_LOG,
    metrics: SILENT_METRICS,
    maxConnections: POOL_CONNECTIONS,
  })
  await giveCredit(store)
  const figures = await compare('PostgreSQL', [
    await bareLedgerPostgres(server.url, { connections: POOL_CONNECTIONS }),
    onStore('Sluice on PostgreSQL', store),
  ])
  await server.remove()
  return figures
}

function onStore(name: string, { ledger, close }: Store): LedgerRun {
  return {
    name,
    run: (ids) =>
      inParallel(ids, IN_FLIGHT, async (id) => {
        const held = await ledger.hold(holdOf(id))
        if (held.kind !== 'held') throw new Error(`a hold was answered with ${held.kind}`)
        await ledger.settle(settlementOf(id))
      }),
    close,
  }
}

/** The last of the runs is ours, and the goal refers to the one before it. */
async function compare(engine: string, runs: LedgerRun[]): Promise<Figures> {
  let count = 0
  const measure = async (run: LedgerRun) => {
    count += 1
    const ids = Array.from({ length: PAIRS }, (_, index) => `${run.name}-${count}-${index}`)
    const began = performance.now()
    await run.run(ids)
    return PAIRS / ((performance.now() - began) / 1_000)
  }
  for (const run of runs) await measure(run)
  const rates = [...(await inTurn(runs, measure)).values()].map(median)
  for (const run of runs) await run.close()
  const [bare, ours] = rates.slice(-2)
  const rows = runs.map(({ name }, index) => [name, { 'hold + settle pairs/s': rates[index] ?? NaN }])
  return {
    ...{ title: `Hold and settle on ${engine}, 64 at once`, plotted: 'hold + settle pairs/s' },
    rows: Object.fromEntries(rows),
    goals: [share(`Hold and settle, of ${runs.at(-2)?.name}`, (ours ?? NaN) / (bare ?? NaN), GOAL)],
  }
}
