import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../../src/ports/store.ts'
import type { TaskMove } from '../../../src/ports/tasks.ts'
import { createFunded, readMoney, sampleCost, sampleHold } from '../../engines/store/sample-money.ts'
import { MORNING_MS } from '../../engines/store/sample-rows.ts'
import { accept, begin, HELD, sampleClaim, sampleMove } from '../../engines/store/sample-task.ts'
import { roundsOf } from '../../random/fault-run.ts'
import { type LedgerEngine, onPostgres, onSqlite } from './ledger-engine.ts'
import { patiently } from './patiently.ts'

const TIMEOUT_MS = 900_000
const RACES = roundsOf({ slice: 50, whole: 200 })
const RACERS = 20
/** Races that run side by side, all on one organization. */
const LANES = 4
const KEY_RACES = roundsOf({ slice: 5, whole: 20 })
const KEY_RACERS = 50
const DUE_TASKS = 1_000
const SWEEPERS = 6

describe.each([
  { name: 'SQLite', start: async () => onSqlite(), replicas: 1 },
  { name: 'PostgreSQL, over three replicas', start: onPostgres, replicas: 3 },
])('tasks raced for on $name', ({ start, replicas }) => {
  let engine: LedgerEngine
  let stores: Store[]
  const storeFor = (number: number) => stores[number % stores.length] ?? expect.fail('no store')
  const countRows = async (table: 'video_callbacks' | 'ledger_entries' | 'video_tasks', idLike: string) => {
    const { count } = await engine.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('id', 'like', idLike)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  beforeAll(async () => {
    engine = await start()
    stores = [await engine.open()]
    while (stores.length < replicas) stores.push(await engine.open())
  })
  afterEach(async () => {
    expect(await storeFor(0).ledger.check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
  })
  afterAll(async () => {
    for (const store of stores) await store.close()
    await engine.cleanUp()
  })

  test(`${RACERS} racers with different ends on one task: one ends it, ${RACES} times`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const organizationId = 'org_ends'
    await createFunded(storeFor(0), { id: organizationId, balance: RACES * HELD })
    let next = 0
    let charged = 0
    async function raceInLane(): Promise<void> {
      for (let race = next++; race < RACES; race = next++) {
        const id = `task_race_${race}`
        await patiently(() => begin(storeFor(race), { id, organizationId, userId: `usr_${race % 3}` }))
        await patiently(() => accept(storeFor(race), sampleMove('queued', { id })))
        const outcomes = await Promise.all(
          Array.from({ length: RACERS }, (_, racer) =>
            patiently(() => storeFor(racer).tasks.move(endOf(id, racer))),
          ),
        )
        const ends = outcomes.filter((moved) => moved.kind === 'moved' && moved.ended)
        expect(ends).toHaveLength(1)
        const task = await patiently(() => storeFor(race).tasks.findForOperator(id))
        const [end] = ends
        expect(end?.kind === 'moved' && end.task.status).toBe(task?.status)
        expect(outcomes.every((moved) => moved.kind !== 'no-task')).toBe(true)
        expect(task?.chargedMicros === null).toBe(task?.status !== 'succeeded')
        charged += task?.chargedMicros ?? 0
      }
    }
    await Promise.all(Array.from({ length: LANES }, raceInLane))
    expect(await countRows('video_callbacks', 'msg_race_%')).toBe(RACES)
    expect(await readMoney(storeFor(0), organizationId)).toEqual({ balance: RACES * HELD - charged, held: 0 })
  })

  test(`the answer, its loss, a refusal and the expiry race for a submitting task, ${RACES} times`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const organizationId = 'org_submitting'
    await createFunded(storeFor(0), { id: organizationId, balance: RACES * HELD })
    for (let race = 0; race < RACES; race += 1) {
      const id = `task_submitting_${race}`
      const idempotency = sampleClaim({ key: id })
      const hold = { expiresAtMs: race % 2 === 0 ? MORNING_MS : MORNING_MS + 1 }
      await begin(storeFor(race), { id, organizationId }, { hold, idempotency })
      const [accepted, failed, forgotten, again] = await Promise.all([
        patiently(() => accept(storeFor(0), sampleMove('running', { id }))),
        patiently(() => storeFor(1).tasks.move(sampleMove('failed', { id }))),
        patiently(() => storeFor(2).tasks.forget({ id, atMs: MORNING_MS })),
        patiently(() => begin(storeFor(race), { id: `${id}_again`, organizationId }, { hold, idempotency })),
        patiently(() => storeFor(race).ledger.expire({ nowMs: MORNING_MS, limit: 10 })),
      ])
      const task = await storeFor(0).tasks.findForOperator(id)
      const wasForgotten = task === undefined
      // A failure may come after an acceptance, and nothing comes after an error.
      expect([accepted.kind === 'moved', failed.kind === 'moved'].includes(true)).toBe(!wasForgotten)
      if (!wasForgotten) expect(forgotten).toBeUndefined()
      if (again.kind === 'begun') expect(wasForgotten).toBe(true)
      else expect(['in-progress', 'replay']).toContain(again.kind)
      await storeFor(1).tasks.move(sampleMove('failed', { id }))
      await storeFor(2).tasks.forget({ id: `${id}_again`, atMs: MORNING_MS })
    }
    expect(await readMoney(storeFor(0), organizationId)).toEqual({ balance: RACES * HELD, held: 0 })
  })

  test(`${KEY_RACERS} tasks begin with one idempotency key: one is stored, ${KEY_RACES} times`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const organizationId = 'org_keys'
    await createFunded(storeFor(0), { id: organizationId, balance: KEY_RACES * HELD })
    for (let race = 0; race < KEY_RACES; race += 1) {
      const idempotency = sampleClaim({ key: `key ${race}` })
      const outcomes = await Promise.all(
        Array.from({ length: KEY_RACERS }, (_, racer) =>
          patiently(() =>
            begin(storeFor(racer), { id: `task_key_${race}_${racer}`, organizationId }, { idempotency }),
          ),
        ),
      )
      const kinds = outcomes.map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind === 'begun')).toHaveLength(1)
      expect(kinds.filter((kind) => kind === 'in-progress')).toHaveLength(KEY_RACERS - 1)
    }
    expect(await countRows('video_tasks', 'task_key_%')).toBe(KEY_RACES)
    expect(await readMoney(storeFor(0), organizationId)).toEqual({
      balance: KEY_RACES * HELD,
      held: KEY_RACES * HELD,
    })
  })

  test(`${SWEEPERS} sweepers claim ${DUE_TASKS} due tasks: each is claimed once in a lease`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const organizationId = 'org_due'
    await createFunded(storeFor(0), { id: organizationId, balance: DUE_TASKS })
    const ids = Array.from({ length: DUE_TASKS }, (_, number) => `task_due_${number}`)
    await inLanes(8, ids, (id, number) =>
      patiently(() =>
        begin(
          storeFor(number),
          { id, organizationId, provider: 'vendorDue', nextPollAtMs: MORNING_MS - number },
          { hold: sampleHold({ id: `hold_${id}`, organizationId, taskId: id, amount: 1 }) },
        ),
      ),
    )
    for (const lease of [1, 2]) {
      const nowMs = MORNING_MS + lease * 60_000
      const claimed: { id: string; fence: number }[] = []
      const sweep = async (sweeper: number) => {
        for (;;) {
          const { tasks: taken } = await storeFor(sweeper).tasks.claimDue({
            provider: 'vendorDue',
            nowMs,
            leaseUntilMs: nowMs + 60_000,
            limit: 32,
          })
          claimed.push(...taken)
          if (taken.length === 0) return
        }
      }
      await Promise.all(Array.from({ length: SWEEPERS }, (_, sweeper) => sweep(sweeper)))
      expect(claimed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      expect(new Set(claimed.map(({ fence }) => fence))).toEqual(new Set([lease]))
    }
  })
})

/** Each racer ends the task in its own way, with its own ids. */
function endOf(id: string, racer: number): TaskMove {
  const status = (['succeeded', 'failed', 'cancelled', 'running', 'queued'] as const)[racer % 5] ?? 'failed'
  const race = id.slice('task_'.length)
  return sampleMove(status, {
    id,
    entryId: `ent_${race}_${racer}`,
    callbackId: `msg_${race}_${racer}`,
    cost: sampleCost(racer),
  })
}

async function inLanes<Item>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  const rest = items.entries()
  const runLane = async () => {
    for (const [index, item] of rest) await work(item, index)
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
}
