import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { openPostgresStore } from '../../../src/adapters/postgres/open-store.ts'
import { migrateSqlite } from '../../../src/adapters/sqlite/migrate.ts'
import { openSqliteStore } from '../../../src/adapters/sqlite/open-store.ts'
import type { Store } from '../../../src/ports/store.ts'
import { createFunded, readMoney, sampleCost, sampleHold, TODAY } from '../../engines/store/sample-money.ts'
import { MORNING_MS } from '../../engines/store/sample-rows.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { watchedPools } from '../../engines/store/watched-pools.ts'
import { roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { startPostgres } from '../../servers/postgres-server.ts'
import { startProgram } from './store-program.ts'

const TIMEOUT_MS = 900_000
const CRASHES = roundsOf({ slice: 8, whole: 41 })
const SETTLEMENTS = CRASHES * 100
const LANES = 12
const KILLS = roundsOf({ slice: 5, whole: 20 })
const FUNDS = 1_000_000_000

describe('money survives crashes to the micro', () => {
  test(`${CRASHES} crashes of PostgreSQL in the middle of ${SETTLEMENTS} settlements`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const random = seededRandom(seedOfRun())
    const server = await startPostgres()
    const { url } = server
    const store = await openPostgresStore({ role: 'server', url, log: SILENT_LOG, metrics: watchedPools() })
    await createFunded(store, { balance: FUNDS })
    const costs = Array.from({ length: SETTLEMENTS }, () => random.integer(0, 150))
    const progress = { next: 0, done: 0, retries: 0 }
    const lanes = Array.from({ length: LANES }, () => settleInLane(store, costs, progress))
    const working = Promise.all(lanes)
    // A lane that fails ends the test immediately, and not only after the last crash.
    const crashing = (async () => {
      for (let crash = 1; crash <= CRASHES; crash += 1) {
        const moment = Math.floor((crash / (CRASHES + 1)) * SETTLEMENTS)
        await expect.poll(() => progress.done >= moment, { timeout: 60_000, interval: 2 }).toBe(true)
        await wait(random.integer(0, 5))
        await server.crash()
        await server.start()
      }
    })()
    await Promise.all([working, crashing])
    const spent = costs.reduce((sum, cost) => sum + cost, 0)
    expect(await readMoney(store)).toEqual({ balance: FUNDS - spent, held: 0 })
    expect((await store.ledger.readDay({ userId: 'usr_1', day: TODAY })).usedMicros).toBe(spent)
    expect(await store.ledger.check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
    expect(await countSettlements(url)).toBe(SETTLEMENTS)
    await store.close()
    await server.remove()
    process.stdout.write(
      `${CRASHES} crashes, ${SETTLEMENTS} settlements, ${progress.retries} tried again: balance exact\n`,
    )
  })

  test(`${KILLS} times kill -9 of a program that settles on SQLite`, { timeout: TIMEOUT_MS }, async () => {
    const random = seededRandom(seedOfRun())
    const dataDir = mkdtempSync(join(tmpdir(), 'sluice-ledger-kill-'))
    const open = () => openSqliteStore({ dataDir, role: 'beside', log: SILENT_LOG })
    await migrateSqlite({ dataDir })
    const first = await open()
    await createFunded(first, { balance: FUNDS })
    await first.close()
    const acknowledged = new Map<string, number>()
    for (let kill = 0; kill < KILLS; kill += 1) {
      const program = startProgram(CHILD, dataDir, `hold_${kill}`)
      await program.said(random.integer(2, 300))
      await wait(random.integer(0, 20))
      await program.kill()
      expect(program.errors()).toBe('')
      for (const line of program.lines.slice(1)) acknowledged.set(...readLine(line))
      const store = await open()
      expect(await store.ledger.check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
      await store.close()
    }
    expect(chargesThatDiffer(join(dataDir, 'sluice.db'), acknowledged)).toEqual([])
    rmSync(dataDir, { recursive: true })
    process.stdout.write(`${KILLS} kills, ${acknowledged.size} acknowledged settlements, 0 lost\n`)
  })
})

const CHILD = new URL('./ledger-child.ts', import.meta.url).pathname

async function settleInLane(
  store: Store,
  costs: readonly number[],
  progress: { next: number; done: number; retries: number },
): Promise<void> {
  for (let number = progress.next++; number < costs.length; number = progress.next++) {
    const id = `hold_${number}`
    const again = () => {
      progress.retries += 1
    }
    await untilAnswered(() => store.ledger.hold(sampleHold({ id, amount: 100 })), again)
    const cost = sampleCost(costs[number] ?? 0)
    // Undefined when an earlier try was served and only its answer was lost.
    await untilAnswered(
      () => store.ledger.settle({ holdId: id, entryId: `ent_${id}`, cost, atMs: MORNING_MS }),
      again,
    )
    progress.done += 1
  }
}

/** Repeats a call with the same ids until it is answered, whether or not an earlier call was done. */
async function untilAnswered(ask: () => Promise<unknown>, again: () => void): Promise<void> {
  for (;;) {
    try {
      await ask()
      return
    } catch (error) {
      if (isThereAlready(error)) return
      expect(error).toMatchObject({ code: 'store_unavailable' })
      again()
      await wait(5)
    }
  }
}

function isThereAlready(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'holds_pkey'
}

async function countSettlements(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query("select count(*) from ledger_entries where kind = 'settlement'")
  await client.end()
  return Number(rows[0]?.count)
}

function readLine(line: string): [id: string, charge: number] {
  const [id = '', charge] = line.split(' ')
  return [id, Number(charge)]
}

function chargesThatDiffer(path: string, acknowledged: ReadonlyMap<string, number>): string[] {
  const database = new DatabaseSync(path)
  const rows = database
    .prepare("select hold_id, amount_micros from ledger_entries where kind = 'settlement'")
    .all()
  database.close()
  const stored = new Map(rows.map((row) => [row.hold_id, row.amount_micros]))
  return [...acknowledged].filter(([id, charge]) => stored.get(id) !== 0 - charge).map(([id]) => id)
}
