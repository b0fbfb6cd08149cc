import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { checkLedger } from '../../../src/adapters/sql/ledger/check-ledger.ts'
import type { Store } from '../../../src/ports/store.ts'
import { MORNING_MS, sampleAudit, sampleOrganization } from '../../engines/store/sample-rows.ts'
import { roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { type SeededRandom, seededRandom } from '../../random/seeded-random.ts'
import { chooseStep } from './choose-step.ts'
import { type LedgerEngine, onPostgres, onSqlite } from './ledger-engine.ts'
import { applyStep, heldOf, type LedgerModel, newModel } from './ledger-model.ts'
import { type LedgerStep, takeStep } from './ledger-step.ts'

const RUNS = roundsOf({ slice: 12, whole: 200 })
const STEPS = 50
const TIMEOUT_MS = 900_000
const CRASH_CHANCE = 0.01
const REPEAT_CHANCE = 0.25
const TABLES = [
  'text_usage',
  'usage_rollup_hour',
  'usage_rollup_day',
  'usage_rollup_day_model',
  'usage_rollup_day_key',
  'ledger_entries',
  'holds',
  'user_days',
  'audit_events',
  'organizations',
]

describe('after random money operations in random order, the ledger adds up after every step', () => {
  test('on SQLite', { timeout: TIMEOUT_MS }, () => runAll('SQLite', onSqlite()))
  test('on PostgreSQL', { timeout: TIMEOUT_MS }, async () => runAll('PostgreSQL', await onPostgres()))
})

async function runAll(name: string, engine: LedgerEngine): Promise<void> {
  const random = seededRandom(seedOfRun())
  const counts = new Map<string, number>()
  let store = await engine.open()
  for (let run = 0; run < RUNS; run += 1) {
    for (const table of TABLES) await sql`delete from ${sql.table(table)}`.execute(engine.db)
    store = await runOnce({ engine, random, counts, store, run })
    expect(await store.ledger.check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
  }
  await store.close()
  await engine.cleanUp()
  const tally = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')
  process.stdout.write(`the ledger on ${name}: ${RUNS} runs of ${STEPS} steps: ${tally}\n`)
}

interface Run {
  engine: LedgerEngine
  random: SeededRandom
  counts: Map<string, number>
  store: Store
  run: number
}

async function runOnce({ engine, random, counts, store: first, run }: Run): Promise<Store> {
  let store = first
  let nowMs = MORNING_MS
  const organizationId = `org_${run}`
  const billing = random.pick(['prepaid', 'prepaid', 'postpaid'] as const)
  let model = newModel(organizationId, billing)
  await store.organizations.create(sampleOrganization({ id: organizationId, billing }), sampleAudit())
  let lastStep: LedgerStep | undefined
  for (let number = 0; number < STEPS; number += 1) {
    nowMs += random.integer(0, 5_000)
    const isRepeat = lastStep?.kind === 'usage' && random.next() < REPEAT_CHANCE
    const step = isRepeat && lastStep ? lastStep : chooseStep(random, model, { number, nowMs })
    lastStep = step
    const after = structuredClone(model)
    const expected = applyStep(after, step, nowMs)
    const scenario = `run ${run}, step ${number}: ${JSON.stringify(step)}`
    const isCrash = random.next() < CRASH_CHANCE
    const taking = takeStep(store, step, { organizationId, nowMs })
    if (isCrash) {
      store = await crash({ engine, random, store, taking })
      const seen = await viewOf(engine, model)
      // A crash hides the result from the caller: the step was done completely or not at all.
      expect([asView(model), asView(after)], scenario).toContainEqual(seen)
      if (isSame(seen, asView(after))) model = after
    } else {
      const answer = await taking
      if (typeof expected === 'object') expect(answer, scenario).toMatchObject(expected ?? {})
      else expect(answer, scenario).toEqual(expected)
      model = after
      expect(await viewOf(engine, model), scenario).toEqual(asView(model))
    }
    expect((await checkLedger(engine.db, { nowMs, limit: 5 })).violations, scenario).toEqual([])
    const label = isCrash ? 'crashes' : step.kind
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return store
}

/** Cuts the engine off a few turns after the step has begun, and opens the store again. */
async function crash({
  engine,
  random,
  store,
  taking,
}: Pick<Run, 'engine' | 'random' | 'store'> & { taking: Promise<unknown> }): Promise<Store> {
  const ended = taking.catch((error) => expect(error).toMatchObject({ code: 'store_unavailable' }))
  for (let turn = random.integer(0, 6); turn > 0; turn -= 1) await nextTurn()
  await engine.cut()
  await ended
  await store.close()
  return engine.open()
}

type View = ReturnType<typeof asView>

function asView(model: LedgerModel) {
  return {
    balance: model.balance,
    held: heldOf(model),
    holds: Object.fromEntries(
      model.holds.map(({ id, state, amount, expiresAtMs }) => [id, `${state} ${amount} ${expiresAtMs}`]),
    ),
    days: model.days,
  }
}

async function viewOf({ db }: LedgerEngine, { organizationId }: LedgerModel): Promise<View> {
  const organization = await db
    .selectFrom('organizations')
    .select(['balance_micros', 'held_micros'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const holds = await db
    .selectFrom('holds')
    .select(['id', 'state', 'amount_micros', 'expires_at_ms'])
    .execute()
  const days = await db.selectFrom('user_days').selectAll().execute()
  return {
    balance: organization.balance_micros,
    held: organization.held_micros,
    holds: Object.fromEntries(
      holds.map((hold) => [hold.id, `${hold.state} ${hold.amount_micros} ${hold.expires_at_ms}`]),
    ),
    days: Object.fromEntries(
      days.map(({ user_id, used_micros, version }) => [user_id, { used: used_micros, version }]),
    ),
  }
}

function isSame(one: View, other: View): boolean {
  const spell = (view: View) =>
    JSON.stringify([
      view.balance,
      view.held,
      Object.entries(view.holds).toSorted(),
      Object.entries(view.days).toSorted(),
    ])
  return spell(one) === spell(other)
}
