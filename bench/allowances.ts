import { rmSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { createMemoryCache } from '../src/adapters/memory/memory-cache.ts'
import { openSqliteStore } from '../src/adapters/sqlite/open-store.ts'
import { systemClock } from '../src/adapters/system/clock.ts'
import { startUsageWriter } from '../src/workers/usage-writer.ts'
import { createReplica, type Replica, usageOf } from '../test/engines/money/replica.ts'
import { SILENT_LOG } from '../test/engines/store/silent-log.ts'
import { atLeast, type Figures } from './figures.ts'
import { freshFolder } from './gateway.ts'
import { AMOUNT_MICROS, COST_MICROS, giveCredit, ORGANIZATION_ID } from './ledger-run.ts'
import { amountOf, median, ROUNDS } from './rounds.ts'

const ADMISSIONS = amountOf(500_000)
const SPENDS = amountOf(40_000)
/** Number of requests between two turns of the loop, as many as a busy process takes in one turn. */
const BATCH = 64
/** Maximum number of waiting usage rows, below the limit of admission. */
const WAITING_MAX = 5_000
const GOAL_PER_SECOND = 200_000

/** Text requests against a leased allowance: admitted in memory, and spent with usage rows that end up on disk. */
export async function allowances(): Promise<Figures[]> {
  const dataDir = freshFolder()
  const store = await openSqliteStore({ dataDir, role: 'server', log: SILENT_LOG })
  await giveCredit(store)
  const cache = createMemoryCache({ clock: systemClock, log: SILENT_LOG, maxBytes: 1_000_000 })
  const replica = createReplica({ usage: store.usage, cache, clock: systemClock })
  const writer = startUsageWriter({ buffer: replica.buffer, log: SILENT_LOG })

  const admitted = await medianRate(ADMISSIONS, () => admitAll(replica))
  const spent = await medianRate(SPENDS, () => spendAll(replica))
  await writer.stop()
  await replica.close()
  await store.close()
  rmSync(dataDir, { recursive: true })

  return [
    {
      title: 'Text requests against a leased allowance',
      rows: {
        'admitted and let go, in memory': { 'per second': admitted },
        'admitted, spent and written to SQLite': { 'per second': spent },
      },
      goals: [atLeast('Admissions in memory', admitted, GOAL_PER_SECOND, 'a second')],
    },
  ]
}

async function admitAll({ allowances }: Replica): Promise<void> {
  for (let count = 0; count < ADMISSIONS; count++) {
    const answer = allowances.admit(ORGANIZATION_ID, AMOUNT_MICROS)
    const admission = answer instanceof Promise ? await answer : answer
    admission.release()
  }
}

async function spendAll(replica: Replica): Promise<void> {
  for (let count = 0; count < SPENDS; count += BATCH) {
    for (let index = 0; index < BATCH; index++) {
      const spend = await replica.begin(ORGANIZATION_ID, AMOUNT_MICROS)
      spend.finish(usageOf(COST_MICROS))
    }
    await turn()
    while (replica.buffer.waiting() > WAITING_MAX) await turn()
  }
  while (replica.buffer.waiting() > 0) await turn()
}

async function medianRate(count: number, run: () => Promise<void>): Promise<number> {
  const rates: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const began = performance.now()
    await run()
    // The first round warms up.
    if (round > 0) rates.push(count / ((performance.now() - began) / 1_000))
  }
  return median(rates)
}
