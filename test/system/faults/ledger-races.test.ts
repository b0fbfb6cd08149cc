import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { Store } from '../../../src/ports/store.ts'
import {
  addCredit,
  createFunded,
  readMoney,
  sampleCost,
  sampleHold,
  sampleUsageRow,
  TODAY,
} from '../../engines/store/sample-money.ts'
import { MORNING_MS } from '../../engines/store/sample-rows.ts'
import { roundsOf } from '../../random/fault-run.ts'
import { type LedgerEngine, onPostgres, onSqlite } from './ledger-engine.ts'
import { patiently } from './patiently.ts'

const TIMEOUT_MS = 900_000
const ROUNDS = roundsOf({ slice: 15, whole: 100 })
const HOLDS = 200
const FUNDED = 50
const PRICE = 1_000
const RACES = roundsOf({ slice: 75, whole: 500 })
const RACERS = 20
/** Races that run side by side, on organizations of their own. */
const LANES = 5

describe.each([
  { name: 'SQLite', start: async () => onSqlite(), replicas: 1 },
  { name: 'PostgreSQL, over three replicas', start: onPostgres, replicas: 3 },
])('concurrent work on $name', ({ start, replicas }) => {
  let engine: LedgerEngine
  let stores: Store[]
  const storeFor = (number: number) => stores[number % stores.length] ?? expect.fail('no store')

  beforeAll(async () => {
    engine = await start()
    stores = [await engine.open()]
    while (stores.length < replicas) stores.push(await engine.open())
  })
  afterAll(async () => {
    for (const store of stores) await store.close()
    await engine.cleanUp()
  })

  test(`${HOLDS} holds with funds for ${FUNDED}: exactly ${FUNDED}, ${ROUNDS} rounds`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const organizationId = `org_${round}`
      await createFunded(storeFor(0), { id: organizationId, balance: FUNDED * PRICE + PRICE - 1 })
      const outcomes = await Promise.all(
        Array.from({ length: HOLDS }, (_, number) =>
          patiently(() =>
            storeFor(number).ledger.hold(
              sampleHold({
                id: `hold_${round}_${number}`,
                organizationId,
                userId: `usr_${number % 7}`,
                amount: PRICE,
              }),
            ),
          ),
        ),
      )
      expect(outcomes.filter(({ kind }) => kind === 'held')).toHaveLength(FUNDED)
      expect(outcomes.filter(({ kind }) => kind === 'insufficient-balance')).toHaveLength(HOLDS - FUNDED)
      expect((await readMoney(storeFor(0), organizationId)).held).toBe(FUNDED * PRICE)
    }
    expect(await storeFor(0).ledger.check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
  })

  test(`${RACERS} racers on one settlement: one wins, ${RACES} times`, { timeout: TIMEOUT_MS }, async () => {
    let next = 0
    async function raceInLane(lane: number): Promise<void> {
      const organizationId = `org_lane_${lane}`
      await patiently(() => createFunded(storeFor(lane), { id: organizationId, balance: 0 }))
      let credited = 0
      let spent = 0
      for (let race = next++; race < RACES; race = next++) {
        const id = `hold_race_${race}`
        await patiently(() => addCredit(storeFor(race), { id: organizationId, amount: PRICE }))
        credited += PRICE
        const hold = sampleHold({ id, organizationId, userId: `usr_lane_${lane}`, amount: PRICE })
        await patiently(() => storeFor(race).ledger.hold(hold))
        const settlements = await Promise.all(
          Array.from({ length: RACERS }, (_, racer) => patiently(() => settle(storeFor(racer), id, racer))),
        )
        const [won, ...others] = settlements.filter((settlement) => settlement !== undefined)
        expect(others).toEqual([])
        spent += won?.chargedMicros ?? expect.fail(`no worker settled ${id}`)
      }
      const { balance, held } = await patiently(() => readMoney(storeFor(lane), organizationId))
      const ofLane = { userId: `usr_lane_${lane}`, day: TODAY }
      const day = await patiently(() => storeFor(lane).ledger.readDay(ofLane))
      expect({ balance, held, used: day.usedMicros }).toEqual({
        balance: credited - spent,
        held: 0,
        used: spent,
      })
    }
    await Promise.all(Array.from({ length: LANES }, (_, lane) => raceInLane(lane)))
    expect(await storeFor(0).ledger.check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
  })

  test('all kinds of concurrent work on the same rows: no deadlock', { timeout: TIMEOUT_MS }, async () => {
    const organizationIds = ['org_x', 'org_y', 'org_z']
    for (const id of organizationIds) await createFunded(storeFor(0), { id, balance: 10_000_000 })
    const failures: unknown[] = []
    const worker = async (lane: number) => {
      for (let number = 0; number < 40; number += 1) {
        await mixedWork(storeFor(lane), { organizationIds, lane, number }).catch((error) =>
          failures.push(error),
        )
      }
    }
    await Promise.all(Array.from({ length: 6 }, (_, lane) => worker(lane)))
    expect(failures).toEqual([])
    expect(await storeFor(0).ledger.check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
  })
})

function settle({ ledger }: Store, holdId: string, racer: number) {
  const cost = sampleCost(PRICE - racer)
  return ledger.settle({ holdId, entryId: `ent_${holdId}_${racer}`, cost, atMs: MORNING_MS })
}

/** Holds, settlements, expiries, leases and groups that span all organizations and share their users. */
async function mixedWork(
  { ledger, usage }: Store,
  { organizationIds, lane, number }: { organizationIds: string[]; lane: number; number: number },
): Promise<void> {
  const id = `${lane}_${number}`
  const organizationId = organizationIds[(lane + number) % organizationIds.length] ?? ''
  const userOf = (organization: string) => `usr_of_${organization}`
  const hold = sampleHold({ id: `hold_mixed_${id}`, organizationId, userId: userOf(organizationId) })
  await ledger.hold({ ...hold, expiresAtMs: number % 3 === 0 ? MORNING_MS : hold.expiresAtMs })
  const allowances: Record<string, string> = {}
  for (const organization of organizationIds) {
    allowances[organization] = `hold_lane_${lane}_${organization}`
    await usage.lease({
      holdId: `hold_lane_${lane}_${organization}`,
      organizationId: organization,
      amountsMicros: [micros(100)],
      nowMs: MORNING_MS,
      expiresAtMs: MORNING_MS + 1,
    })
  }
  const rows = organizationIds
    .toReversed()
    .map((organization, index) => usageRow(`use_${id}_${index}`, organization, userOf(organization)))
  await Promise.all([
    usage.write({ id: `grp_${id}`, rows, allowances, atMs: MORNING_MS }),
    usage.renew({ holdIds: Object.values(allowances).toReversed(), expiresAtMs: MORNING_MS + 1 }),
    ledger.expire({ nowMs: MORNING_MS, limit: 10 }),
    ledger.settle({
      holdId: hold.id,
      entryId: `ent_${id}`,
      cost: sampleCost(number % 2 === 0 ? 50 : 150),
      atMs: MORNING_MS,
    }),
  ])
}

function usageRow(id: string, organizationId: string, userId: string) {
  return sampleUsageRow({ id, organizationId, userId, cost: 120 })
}
