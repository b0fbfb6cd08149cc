import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleOrganization, sampleUser } from './sample-rows.ts'

export function describeApiKeys(opened: GetOpened): void {
  const apiKeys = () => opened().store.apiKeys

  describe('API keys', () => {
    beforeEach(async () => {
      const { organizations, users } = opened().store
      await organizations.create(sampleOrganization({ requestsPerMinute: 600 }), sampleAudit())
      await organizations.create(sampleOrganization({ id: 'org_2' }), sampleAudit())
      await users.create(sampleUser(), sampleAudit())
      await users.create(sampleUser({ id: 'usr_2', organizationId: 'org_2' }), sampleAudit())
    })

    test('are restored as they were made, without the digest', async () => {
      expect(await apiKeys().create(sampleApiKey({ requestsPerMinute: 30 }), sampleAudit())).toBe(true)
      expect(await apiKeys().list('org_1')).toStrictEqual([
        {
          id: 'key_1',
          organizationId: 'org_1',
          userId: 'usr_1',
          name: 'laptop',
          prefix: 'sk-sluice-abcd',
          requestsPerMinute: 30,
          createdAtMs: MORNING_MS,
          revokedAtMs: null,
          expiresAtMs: null,
          allowedModels: null,
          monthlyBudgetMicros: null,
        },
      ])
    })

    test.each([
      'requests_per_minute = 10000001',
      'requests_per_minute = -1',
      'created_at_ms = 9007199254740992',
      'revoked_at_ms = 9007199254740992',
    ])('do not accept %s from an operator', async (assignment) => {
      await apiKeys().create(sampleApiKey(), sampleAudit())
      await expect(opened().runSql(`update api_keys set ${assignment}`)).rejects.toThrow()
      expect(await apiKeys().list('org_1')).toHaveLength(1)
    })

    test('are found by a part of their name or of their first characters', async () => {
      const names = ['laptop', 'Night build', '100% sure', '100 sure']
      for (const [at, name] of names.entries()) {
        const key = { id: `key_${at}`, digest: `digest-${at}`, name, prefix: `sk-sluice-${'abcd'[at]}xyz` }
        await apiKeys().create(sampleApiKey(key), sampleAudit())
      }
      const found = async (search: string, more = {}) =>
        (await apiKeys().page({ search, limit: 10, ...more })).map(({ name }) => name)
      expect(await found('NIGHT')).toEqual(['Night build'])
      expect(await found('100%')).toEqual(['100% sure'])
      expect(await found('_')).toEqual([])
      expect(await found('sluice-ax')).toEqual(['laptop'])
      expect(await found('sure', { limit: 1 })).toEqual(['100 sure'])
      expect(await found('laptop', { organizationId: 'org_2' })).toEqual([])
    })

    test('say who is calling', async () => {
      await apiKeys().create(sampleApiKey({ requestsPerMinute: 30 }), sampleAudit())
      expect(await apiKeys().findCaller('digest-1')).toStrictEqual({
        keyId: 'key_1',
        organizationId: 'org_1',
        userId: 'usr_1',
        keyRequestsPerMinute: 30,
        organizationRequestsPerMinute: 600,
        keepReplies: null,
        allowedModels: null,
        hasBudget: false,
        expiresAtMs: null,
        disabled: null,
      })
      expect(await apiKeys().findCaller('digest-2')).toBeUndefined()
    })

    test('are not made for an unknown user', async () => {
      expect(await apiKeys().create(sampleApiKey({ userId: 'usr_9' }), sampleAudit())).toBe(false)
      expect(await apiKeys().list('org_1')).toEqual([])
    })

    test("are not made for another organization's user", async () => {
      expect(await apiKeys().create(sampleApiKey({ userId: 'usr_2' }), sampleAudit())).toBe(false)
      expect(await apiKeys().findCaller('digest-1')).toBeUndefined()
    })

    test('refuse the same digest twice', async () => {
      await apiKeys().create(sampleApiKey(), sampleAudit())
      await expect(apiKeys().create(sampleApiKey({ id: 'key_2' }), sampleAudit())).rejects.toThrow()
      expect((await apiKeys().list('org_1')).map(({ id }) => id)).toEqual(['key_1'])
      expect((await apiKeys().findCaller('digest-1'))?.keyId).toBe('key_1')
    })

    test('are listed per organization, oldest first', async () => {
      await apiKeys().create(
        sampleApiKey({ id: 'key_b', digest: 'b', createdAtMs: MORNING_MS + 1 }),
        sampleAudit(),
      )
      await apiKeys().create(sampleApiKey({ id: 'key_c', digest: 'c' }), sampleAudit())
      await apiKeys().create(
        sampleApiKey({ id: 'key_x', digest: 'x', organizationId: 'org_2', userId: 'usr_2' }),
        sampleAudit(),
      )
      expect((await apiKeys().list('org_1')).map(({ id }) => id)).toEqual(['key_c', 'key_b'])
    })

    test('are not valid once they are revoked, and keep the first moment', async () => {
      await apiKeys().create(sampleApiKey(), sampleAudit())
      expect(
        await apiKeys().revoke({ id: 'key_1', revokedAtMs: MORNING_MS + 5 }, sampleAudit()),
      ).toMatchObject({
        id: 'key_1',
        digest: 'digest-1',
        revokedAtMs: MORNING_MS + 5,
      })
      expect(await apiKeys().findCaller('digest-1')).toBeUndefined()
      const again = await apiKeys().revoke({ id: 'key_1', revokedAtMs: MORNING_MS + 9 }, sampleAudit())
      expect(again?.revokedAtMs).toBe(MORNING_MS + 5)
      expect((await apiKeys().list('org_1'))[0]?.revokedAtMs).toBe(MORNING_MS + 5)
    })

    test('keep their expiry and their models', async () => {
      const terms = { expiresAtMs: MORNING_MS + 9, allowedModels: ['vendorC/a', 'vendorD/b'] }
      await apiKeys().create(sampleApiKey(terms), sampleAudit())
      expect(await apiKeys().find('key_1')).toMatchObject(terms)
      expect(await apiKeys().list('org_1')).toMatchObject([terms])
      expect(await apiKeys().findCaller('digest-1')).toMatchObject(terms)
      expect(await apiKeys().find('key_9')).toBeUndefined()
    })

    test.each([
      [null, 50, 50],
      [40, 50, 40],
      [60, 50, 50],
    ])('that expire at %j and are rotated until %i end at %i', async (expiresAtMs, endsAtMs, ends) => {
      await apiKeys().create(sampleApiKey({ expiresAtMs }), sampleAudit())
      const successor = sampleApiKey({ id: 'key_2', digest: 'digest-2' })
      const audit = sampleAudit({ action: 'key.rotate' })
      expect(
        await apiKeys().rotate({ id: 'key_1', endsAtMs, successor, month: '2023-11' }, audit),
      ).toMatchObject({
        ...{ id: 'key_1', digest: 'digest-1', expiresAtMs: ends },
      })
      expect((await apiKeys().list('org_1')).map((key) => key.id)).toEqual(['key_1', 'key_2'])
      const acts = await opened().store.audit.list({ limit: 9 })
      expect(acts.map(({ action }) => action)).toContain('key.rotate')
    })

    test('that are revoked or unknown cannot be rotated, and get no successor', async () => {
      await apiKeys().create(sampleApiKey(), sampleAudit())
      await apiKeys().revoke({ id: 'key_1', revokedAtMs: 5 }, sampleAudit())
      const successor = sampleApiKey({ id: 'key_2', digest: 'digest-2' })
      for (const id of ['key_1', 'key_9'])
        expect(
          await apiKeys().rotate({ id, endsAtMs: 9, successor, month: '2023-11' }, sampleAudit()),
        ).toBeUndefined()
      expect(await apiKeys().list('org_1')).toHaveLength(1)
    })

    test('that are unknown cannot be revoked', async () => {
      expect(await apiKeys().revoke({ id: 'key_9', revokedAtMs: MORNING_MS }, sampleAudit())).toBeUndefined()
    })
  })
}
