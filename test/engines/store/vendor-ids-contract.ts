import { describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { HOUR_MS } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'

export function describeVendorIds(opened: GetOpened): void {
  const ids = () => opened().store.vendorIds
  const keep = (expiresAtMs: number, ...owners: [digest: string, organizationId: string][]) =>
    ids().keep({
      owners: owners.map(([digest, organizationId]) => ({ digest, organizationId })),
      expiresAtMs,
    })
  const find = (organizationId: string, digests: string[], nowMs = MORNING_MS) =>
    ids().find({ organizationId, digests, nowMs })

  describe('ids that vendors gave', () => {
    test('are found by the organization that got them, and by no other', async () => {
      await keep(MORNING_MS + 1, ['one', 'org_1'], ['two', 'org_1'], ['three', 'org_2'])
      expect((await find('org_1', ['one', 'two', 'three', 'four'])).sort()).toEqual(['one', 'two'])
      expect(await find('org_2', ['one', 'two', 'three', 'four'])).toEqual(['three'])
      expect(await find('org_3', ['one', 'two', 'three', 'four'])).toEqual([])
      expect(await find('org_1', [])).toEqual([])
    })

    test('may be given to two organizations, and twice to one', async () => {
      await keep(MORNING_MS + 1, ['one', 'org_1'], ['one', 'org_2'], ['one', 'org_1'])
      expect(await find('org_1', ['one'])).toEqual(['one'])
      expect(await find('org_2', ['one'])).toEqual(['one'])
    })

    test('are kept until their end, which can be extended', async () => {
      await keep(MORNING_MS + 1, ['one', 'org_1'], ['two', 'org_1'])
      await keep(MORNING_MS + HOUR_MS, ['two', 'org_1'])
      expect(await find('org_1', ['one', 'two'], MORNING_MS + 1)).toEqual(['two'])
    })

    test('are dropped after their end, a limited number at a time', async () => {
      await keep(MORNING_MS, ['one', 'org_1'], ['two', 'org_1'], ['three', 'org_1'])
      await keep(MORNING_MS + 1, ['four', 'org_1'])
      expect(await ids().dropExpired({ nowMs: MORNING_MS, limit: 2 })).toBe(2)
      expect(await ids().dropExpired({ nowMs: MORNING_MS, limit: 2 })).toBe(1)
      expect(await ids().dropExpired({ nowMs: MORNING_MS, limit: 2 })).toBe(0)
      expect(await find('org_1', ['four'])).toEqual(['four'])
    })

    test('are kept and found by hundreds in one call', async () => {
      const many = Array.from({ length: 700 }, (_, at) => `digest-${at}`)
      await keep(MORNING_MS + 1, ...many.map((digest): [string, string] => [digest, 'org_1']))
      expect(await find('org_1', [...many, 'other'])).toHaveLength(700)
    })
  })
}
