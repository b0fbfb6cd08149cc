import { beforeEach, describe, expect, test } from 'vitest'
import type { RequestClaim } from '../../../src/ports/request-claims.ts'
import type { GetOpened } from './opened-store.ts'
import { createFunded, readMoney, sampleGroup, sampleUsageRow } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'
import { DAY_MS } from './sample-task.ts'

const LEASE_MS = 30_000

export function describeRequestClaims(opened: GetOpened): void {
  const store = () => opened().store
  const claims = () => store().requestClaims
  const claim = (id: string, part: Partial<RequestClaim & { nowMs: number }> = {}) => {
    const { nowMs = MORNING_MS } = part
    return claims().claim({
      ...{ id, keyId: 'key_1', keyDigest: 'once', bodyDigest: 'body-1', nowMs },
      ...{ leaseUntilMs: nowMs + LEASE_MS, expiresAtMs: nowMs + DAY_MS },
      ...part,
    })
  }
  /** One usage row of 10 micro-USD that finishes the claim. */
  const charge = (claimId: string, row = `use_of_${claimId}`) =>
    store().usage.write(
      sampleGroup({
        id: `grp_${row}`,
        rows: [sampleUsageRow({ id: row })],
        allowances: {},
        claims: { [row]: claimId },
      }),
    )
  const balance = async () => (await readMoney(store())).balance
  const stored = () => opened().runSql('select id, state from request_claims order by id')

  describe('the claim of a text request', () => {
    beforeEach(() => createFunded(store(), { balance: 1_000 }))

    test('refuses a second request while the first runs, and another body', async () => {
      expect(await claim('a')).toEqual({ kind: 'claimed' })
      expect(await claim('b')).toEqual({ kind: 'running', id: 'a' })
      expect(await claim('b', { bodyDigest: 'body-2' })).toEqual({ kind: 'other-body' })
      expect(await stored()).toEqual([{ id: 'a', state: 'claimed' }])
    })

    test('of one API key has no effect for another', async () => {
      await claim('a')
      expect(await claim('b', { keyId: 'key_2' })).toEqual({ kind: 'claimed' })
      expect(await claim('c', { keyDigest: 'twice' })).toEqual({ kind: 'claimed' })
    })

    test('is given to one of many simultaneous requests', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, turn) => claim(`c${turn}`)))
      expect(answers.filter(({ kind }) => kind === 'claimed')).toHaveLength(1)
      expect(answers.filter(({ kind }) => kind === 'running')).toHaveLength(19)
      expect(await stored()).toHaveLength(1)
    })

    test('ends with its usage row, which is charged once, and stays ended for a day', async () => {
      await claim('a')
      expect(await charge('a')).toMatchObject({ charges: [{ beyondMicros: 10 }] })
      expect(await balance()).toBe(990)
      const late = MORNING_MS + DAY_MS - 1
      expect(await claim('b', { nowMs: late })).toEqual({ kind: 'finished', id: 'a' })
      expect(await claim('b', { nowMs: late, bodyDigest: 'body-2' })).toEqual({ kind: 'other-body' })
      await claims().free('a')
      expect(await claim('b')).toEqual({ kind: 'finished', id: 'a' })
      expect(await claim('b', { nowMs: MORNING_MS + DAY_MS })).toEqual({ kind: 'claimed' })
    })

    test('whose group is written twice is charged once', async () => {
      await claim('a')
      await charge('a')
      expect(await charge('a')).toEqual({ days: [], charges: [] })
      expect(await balance()).toBe(990)
      expect(await stored()).toEqual([{ id: 'a', state: 'finished' }])
    })

    test('is free again after an error, also for another body', async () => {
      await claim('a')
      await claims().free('a')
      await claims().free('a')
      expect(await claim('b', { bodyDigest: 'body-2' })).toEqual({ kind: 'claimed' })
      await claims().free('a')
      expect(await claim('c', { bodyDigest: 'body-2' })).toEqual({ kind: 'running', id: 'b' })
    })

    test('is free once its lease is over, and not before; a renewed claim is not', async () => {
      await claim('a')
      expect(await claim('b', { nowMs: MORNING_MS + LEASE_MS - 1 })).toEqual({ kind: 'running', id: 'a' })
      await claims().renew({ ids: ['a', 'unknown'], leaseUntilMs: MORNING_MS + 2 * LEASE_MS })
      expect(await claim('b', { nowMs: MORNING_MS + LEASE_MS })).toEqual({ kind: 'running', id: 'a' })
      expect(await claim('b', { nowMs: MORNING_MS + 2 * LEASE_MS })).toEqual({ kind: 'claimed' })
    })

    test('that lost its key adds no usage: the key is charged once, for the request that holds it', async () => {
      await claim('a')
      await claim('b', { nowMs: MORNING_MS + LEASE_MS })
      expect(await charge('a')).toEqual({ days: [], charges: [], superseded: ['use_of_a'] })
      expect(await balance()).toBe(1_000)
      expect(await charge('b')).toMatchObject({ charges: [{ beyondMicros: 10 }] })
      expect(await balance()).toBe(990)
      expect(await opened().runSql('select id from text_usage')).toEqual([{ id: 'use_of_b' }])
    })

    test('that lost its key does not stop other rows of its group', async () => {
      await claim('a')
      await claim('b', { nowMs: MORNING_MS + LEASE_MS })
      await claim('c', { keyDigest: 'other' })
      const rows = ['use_a', 'use_c', 'use_plain'].map((id) => sampleUsageRow({ id }))
      const group = sampleGroup({ rows, allowances: {}, claims: { use_a: 'a', use_c: 'c' } })
      expect(await store().usage.write(group)).toMatchObject({
        charges: [{ beyondMicros: 20 }],
        superseded: ['use_a'],
      })
      // The answer to the first attempt may be lost: the second one changes nothing, and names the same row.
      expect(await store().usage.write(group)).toEqual({ days: [], charges: [], superseded: ['use_a'] })
      expect(await balance()).toBe(980)
      expect(await stored()).toEqual([
        { id: 'b', state: 'claimed' },
        { id: 'c', state: 'finished' },
      ])
      expect(await store().ledger.check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
    })

    test('is finished or claimed again when both happen at the same time, never both', async () => {
      for (let turn = 0; turn < 10; turn += 1) {
        const keyDigest = `key ${turn}`
        await claim(`first${turn}`, { keyDigest })
        const [written, again] = await Promise.all([
          charge(`first${turn}`),
          claim(`second${turn}`, { keyDigest, nowMs: MORNING_MS + LEASE_MS }),
        ])
        expect(again.kind).toBe(written.superseded === undefined ? 'finished' : 'claimed')
      }
    })

    test('is renewed and finished by many transactions without a deadlock', async () => {
      const ids = Array.from({ length: 70 }, (_, turn) => `c${turn}`)
      for (const id of ids) await claim(id, { keyDigest: id })
      const rows = ids.map((id) => sampleUsageRow({ id: `use_${id}` }))
      const finishing = Object.fromEntries(ids.toReversed().map((id) => [`use_${id}`, id]))
      await Promise.all([
        claims().renew({ ids, leaseUntilMs: MORNING_MS + 2 * LEASE_MS }),
        store().usage.write(sampleGroup({ rows, allowances: {}, claims: finishing })),
        claims().renew({ ids: ids.toReversed(), leaseUntilMs: MORNING_MS + 2 * LEASE_MS }),
      ])
      expect(await balance()).toBe(300)
      expect((await stored()).filter(({ state }) => state === 'finished')).toHaveLength(70)
    })

    test('is deleted after its lifetime, the oldest first', async () => {
      for (const [index, keyDigest] of ['c', 'a', 'b'].entries())
        await claim(keyDigest, { keyDigest, expiresAtMs: MORNING_MS + index })
      const drop = (nowMs: number, limit = 10) => claims().dropExpired({ nowMs, limit })
      expect(await drop(MORNING_MS - 1)).toBe(0)
      expect(await drop(MORNING_MS + 1, 1)).toBe(1)
      expect(await drop(MORNING_MS + 1)).toBe(1)
      expect(await stored()).toEqual([{ id: 'b', state: 'claimed' }])
    })
  })
}
