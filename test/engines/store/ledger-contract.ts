import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { GetOpened } from './opened-store.ts'
import { createFunded, HOUR_MS, readMoney, sampleCost, sampleHold, TODAY } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'

export function describeLedger(opened: GetOpened): void {
  const ledger = () => opened().store.ledger
  const money = (id?: string) => readMoney(opened().store, id)
  const dayOf = (userId = 'usr_1', day = TODAY) => ledger().readDay({ userId, day })
  const settle = (cost: number, holdId = 'hold_1') =>
    ledger().settle({
      holdId,
      entryId: `ent_${holdId}`,
      cost: sampleCost(cost),
      atMs: MORNING_MS + 5,
    })
  const release = (holdId = 'hold_1') => ledger().release({ holdId, atMs: MORNING_MS + 5 })
  const entries = () =>
    opened().runSql('select kind, amount_micros, loss_micros, hold_id from ledger_entries order by id')
  const stateOf = async (id: string) => {
    const [row] = await opened().runSql(`select state, ended_at_ms from holds where id = '${id}'`)
    return row === undefined ? undefined : { state: row.state, endedAtMs: numberOrNull(row.ended_at_ms) }
  }

  describe('the ledger', () => {
    beforeEach(() => createFunded(opened().store, { balance: 1_000 }))
    afterEach(async () => {
      expect(await ledger().check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
    })

    describe('holds', () => {
      test('of an unknown organization are refused and store nothing', async () => {
        expect(await ledger().hold(sampleHold({ organizationId: 'org_9' }))).toEqual({
          kind: 'no-organization',
        })
        expect(await stateOf('hold_1')).toBeUndefined()
        expect(await dayOf()).toEqual({ usedMicros: 0, version: 0 })
      })

      test('above the available money are refused and store nothing', async () => {
        await ledger().hold(sampleHold({ id: 'hold_0', amount: 600 }))
        expect(await ledger().hold(sampleHold({ amount: 401 }))).toEqual({
          kind: 'insufficient-balance',
          availableMicros: 400,
        })
        expect(await stateOf('hold_1')).toBeUndefined()
        expect(await dayOf()).toEqual({ usedMicros: 600, version: 1 })
        expect(await money()).toEqual({ balance: 1_000, held: 600 })
      })

      test('take the last micro', async () => {
        await ledger().hold(sampleHold({ id: 'hold_0', amount: 600 }))
        expect(await ledger().hold(sampleHold({ amount: 400 }))).toEqual({
          kind: 'held',
          day: { userId: 'usr_1', day: TODAY, deltaMicros: 400, version: 2 },
        })
        expect(await money()).toEqual({ balance: 1_000, held: 1_000 })
        expect(await dayOf()).toEqual({ usedMicros: 1_000, version: 2 })
        expect(await stateOf('hold_1')).toEqual({ state: 'open', endedAtMs: null })
      })

      test('of zero are held too', async () => {
        await ledger().hold(sampleHold({ id: 'hold_0', amount: 1_000 }))
        expect(await ledger().hold(sampleHold({ amount: 0 }))).toMatchObject({ kind: 'held' })
      })

      test('of a postpaid organization have no limit', async () => {
        await createFunded(opened().store, { id: 'org_2', billing: 'postpaid', balance: 0 })
        const hold = sampleHold({ organizationId: 'org_2', amount: Number.MAX_SAFE_INTEGER })
        expect(await ledger().hold(hold)).toMatchObject({ kind: 'held' })
        expect(await money('org_2')).toEqual({ balance: 0, held: Number.MAX_SAFE_INTEGER })
      })

      test('with an existing id, or for a task with a hold, throw and change nothing', async () => {
        await ledger().hold(sampleHold({ taskId: 'task_1' }))
        await expect(ledger().hold(sampleHold())).rejects.toThrow()
        await expect(ledger().hold(sampleHold({ id: 'hold_2', taskId: 'task_1' }))).rejects.toThrow()
        expect(await money()).toEqual({ balance: 1_000, held: 100 })
        expect(await dayOf()).toEqual({ usedMicros: 100, version: 1 })
      })

      test('count on their day, for each user separately', async () => {
        await ledger().hold(sampleHold({ day: '2023-11-15' }))
        await ledger().hold(sampleHold({ id: 'hold_2', userId: 'usr_2' }))
        expect(await dayOf()).toEqual({ usedMicros: 0, version: 0 })
        expect(await dayOf('usr_1', '2023-11-15')).toEqual({ usedMicros: 100, version: 1 })
        expect(await dayOf('usr_2')).toEqual({ usedMicros: 100, version: 1 })
      })
    })

    describe('settlements', () => {
      test('of an unknown hold have no effect', async () => {
        expect(await settle(5)).toBeUndefined()
        expect(await entries()).toHaveLength(1)
      })

      test('happen once', async () => {
        await ledger().hold(sampleHold())
        await settle(30)
        expect(await settle(30)).toBeUndefined()
        expect(await release()).toBeUndefined()
        expect(await money()).toEqual({ balance: 970, held: 0 })
        expect(await dayOf()).toEqual({ usedMicros: 30, version: 2 })
      })

      test('do not end a hold that was released', async () => {
        await ledger().hold(sampleHold())
        await release()
        expect(await settle(30)).toBeUndefined()
        expect(await money()).toEqual({ balance: 1_000, held: 0 })
      })

      test('do not end an allowance', async () => {
        await opened().store.usage.lease(ALLOWANCE)
        expect(await settle(5, 'hold_a')).toBeUndefined()
        expect(await release('hold_a')).toBeUndefined()
        expect(await stateOf('hold_a')).toEqual({ state: 'open', endedAtMs: null })
      })

      test.each([0, 1, 99, 100])('of %i out of 100 charge exactly that', async (cost) => {
        await ledger().hold(sampleHold())
        expect(await settle(cost)).toEqual({
          chargedMicros: cost,
          lossMicros: 0,
          day: { userId: 'usr_1', day: TODAY, deltaMicros: cost - 100, version: 2 },
        })
        expect(await money()).toEqual({ balance: 1_000 - cost, held: 0 })
        expect(await dayOf()).toEqual({ usedMicros: cost, version: 2 })
        expect(await stateOf('hold_1')).toEqual({ state: 'settled', endedAtMs: MORNING_MS + 5 })
        const [, entry] = await entries()
        expect(entry).toMatchObject({ kind: 'settlement', hold_id: 'hold_1' })
        expect(Number(entry?.amount_micros)).toBe(0 - cost)
      })

      test('above the hold are charged in full if the balance allows', async () => {
        await ledger().hold(sampleHold())
        await ledger().hold(sampleHold({ id: 'hold_2', amount: 300 }))
        expect(await settle(700)).toMatchObject({ chargedMicros: 700, lossMicros: 0 })
        expect(await money()).toEqual({ balance: 300, held: 300 })
      })

      test('above the balance charge the money that is not held for others, and the rest is a loss', async () => {
        await ledger().hold(sampleHold())
        await ledger().hold(sampleHold({ id: 'hold_2', amount: 300 }))
        expect(await settle(5_000)).toEqual({
          chargedMicros: 700,
          lossMicros: 4_300,
          day: { userId: 'usr_1', day: TODAY, deltaMicros: 4_900, version: 3 },
        })
        expect(await money()).toEqual({ balance: 300, held: 300 })
        expect(await dayOf()).toEqual({ usedMicros: 5_300, version: 3 })
        const entry = (await entries()).find(({ kind }) => kind === 'settlement')
        expect([Number(entry?.amount_micros), Number(entry?.loss_micros)]).toEqual([-700, 4_300])
      })

      test('of a postpaid organization are charged in full, below zero', async () => {
        await createFunded(opened().store, { id: 'org_2', billing: 'postpaid', balance: 0 })
        await ledger().hold(sampleHold({ organizationId: 'org_2' }))
        expect(await settle(5_000)).toMatchObject({ chargedMicros: 5_000, lossMicros: 0 })
        expect(await money('org_2')).toEqual({ balance: -5_000, held: 0 })
      })
    })

    describe('releases', () => {
      test('return all of it, once', async () => {
        await ledger().hold(sampleHold())
        expect(await release()).toEqual({ userId: 'usr_1', day: TODAY, deltaMicros: -100, version: 2 })
        expect(await release()).toBeUndefined()
        expect(await money()).toEqual({ balance: 1_000, held: 0 })
        expect(await dayOf()).toEqual({ usedMicros: 0, version: 2 })
        expect(await stateOf('hold_1')).toEqual({ state: 'released', endedAtMs: MORNING_MS + 5 })
      })

      test('of an unknown hold have no effect', async () => {
        expect(await release('hold_9')).toBeUndefined()
      })
    })

    describe('expiries', () => {
      const expire = (limit = 10) => ledger().expire({ nowMs: MORNING_MS, limit })

      test('skip holds that are not due or have ended', async () => {
        await ledger().hold(sampleHold({ expiresAtMs: MORNING_MS + 1 }))
        await ledger().hold(sampleHold({ id: 'hold_2', expiresAtMs: MORNING_MS - 1 }))
        await release('hold_2')
        expect(await expire()).toEqual([])
        expect(await money()).toEqual({ balance: 1_000, held: 100 })
      })

      test('return holds and allowances, the oldest first, and for each hold the move of its day', async () => {
        await ledger().hold(sampleHold({ expiresAtMs: MORNING_MS, taskId: 'task_1' }))
        await ledger().hold(sampleHold({ id: 'hold_0', amount: 7, expiresAtMs: MORNING_MS - 9 }))
        await opened().store.usage.lease({ ...ALLOWANCE, expiresAtMs: MORNING_MS - 5 })
        await ledger().hold(sampleHold({ id: 'hold_9', amount: 1, expiresAtMs: MORNING_MS + 1 }))
        const day = { userId: 'usr_1', day: TODAY }
        expect(await expire()).toEqual([
          {
            id: 'hold_0',
            kind: 'task',
            organizationId: 'org_1',
            taskId: null,
            amountMicros: 7,
            day: { ...day, deltaMicros: -7, version: expect.any(Number) },
          },
          {
            id: 'hold_a',
            kind: 'allowance',
            organizationId: 'org_1',
            taskId: null,
            amountMicros: 50,
            day: undefined,
          },
          {
            id: 'hold_1',
            kind: 'task',
            organizationId: 'org_1',
            taskId: 'task_1',
            amountMicros: 100,
            day: { ...day, deltaMicros: -100, version: expect.any(Number) },
          },
        ])
        expect(await expire()).toEqual([])
        expect(await money()).toEqual({ balance: 1_000, held: 1 })
        expect(await dayOf()).toEqual({ usedMicros: 1, version: 5 })
        expect(await stateOf('hold_0')).toEqual({ state: 'expired', endedAtMs: MORNING_MS })
        expect(await settle(1)).toBeUndefined()
      })

      test('stop at the limit and continue from there', async () => {
        for (const number of [3, 1, 2]) {
          await ledger().hold(sampleHold({ id: `hold_${number}`, expiresAtMs: MORNING_MS - 9 + number }))
        }
        expect((await expire(2)).map(({ id }) => id)).toEqual(['hold_1', 'hold_2'])
        expect((await expire(2)).map(({ id }) => id)).toEqual(['hold_3'])
      })

      test('cover all organizations, and simultaneous passes expire each hold once', async () => {
        await createFunded(opened().store, { id: 'org_0', balance: 1_000 })
        for (let number = 0; number < 20; number += 1) {
          const organizationId = `org_${number % 2}`
          await ledger().hold(
            sampleHold({
              id: `hold_${number}`,
              organizationId,
              amount: 10,
              expiresAtMs: MORNING_MS - number,
            }),
          )
        }
        const passes = await Promise.all([expire(), expire(), expire(), expire()])
        const ids = passes.flat().map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        while ((await expire()).length > 0);
        expect(await money('org_0')).toEqual({ balance: 1_000, held: 0 })
        expect(await money('org_1')).toEqual({ balance: 1_000, held: 0 })
      })
    })
  })
}

const ALLOWANCE = {
  holdId: 'hold_a',
  organizationId: 'org_1',
  amountsMicros: [micros(50)],
  nowMs: MORNING_MS,
  expiresAtMs: MORNING_MS + HOUR_MS,
}

/** PostgreSQL's plain driver hands out whole numbers as text. */
function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value)
}
