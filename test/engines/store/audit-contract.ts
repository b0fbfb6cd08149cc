import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import {
  MORNING_MS,
  sampleApiKey,
  sampleAudit,
  sampleFirst,
  sampleOrganization,
  sampleUser,
} from './sample-rows.ts'

export function describeAudit(opened: GetOpened): void {
  const store = () => opened().store
  const audits = () => store().audit.list({ limit: 100 })
  const audit = sampleAudit({ id: 'aud_5', action: 'thing.change', subject: 'thing_1' })

  describe('audit rows', () => {
    test('are restored unchanged', async () => {
      const written = sampleAudit({
        actor: 'admin-api',
        organizationId: 'org_1',
        detail: { usd: '5.25', count: 3, enabled: true, before: null, note: `"'; -- 水` },
      })
      await store().audit.add(written)
      expect(await audits()).toStrictEqual([written])
    })

    test('are listed newest first, as many as asked for', async () => {
      for (const id of ['aud_2', 'aud_9', 'aud_1']) await store().audit.add(sampleAudit({ id }))
      expect((await store().audit.list({ limit: 2 })).map(({ id }) => id)).toEqual(['aud_9', 'aud_2'])
    })
  })

  describe('a change and its audit row', () => {
    beforeEach(async () => {
      await store().organizations.create(sampleOrganization(), sampleAudit())
      await store().users.create(sampleUser(), sampleAudit())
      await store().apiKeys.create(sampleApiKey(), sampleAudit())
      await opened().runSql('delete from audit_events')
    })

    const rotation = (id: string) => ({ id, encryptedSecret: 'sealed-2', previousUntilMs: MORNING_MS })
    const limit = (id: string) => ({ id, maxDailyUserLimit: '5', enableLimit: true })

    test.each([
      [
        'a new organization',
        null,
        () => store().organizations.create(sampleOrganization({ id: 'org_2' }), audit),
      ],
      ['a new secret', null, () => store().organizations.rotateWebhookSecret(rotation('org_1'), audit)],
      ['a new user', null, () => store().users.create(sampleUser({ id: 'usr_2' }), audit)],
      ['a limit', 'org_1', () => store().users.setLimit(limit('usr_1'), audit)],
      [
        'a new key',
        null,
        () => store().apiKeys.create(sampleApiKey({ id: 'key_2', digest: 'digest-2' }), audit),
      ],
      ['a revoked key', 'org_1', () => store().apiKeys.revoke({ id: 'key_1', revokedAtMs: 1 }, audit)],
    ])('are written together: %s', async (_what, organizationId, change) => {
      await change()
      expect(await audits()).toStrictEqual([{ ...audit, organizationId }])
    })

    test('are written together: the first organization', async () => {
      await opened().runSql('delete from api_keys')
      await opened().runSql('delete from users')
      await opened().runSql('delete from organizations')
      await store().organizations.createFirst(sampleFirst(2), audit)
      expect(await audits()).toStrictEqual([audit])
    })

    test.each([
      [
        'a secret of an unknown organization',
        false,
        () => store().organizations.rotateWebhookSecret(rotation('org_9'), audit),
      ],
      [
        'a user of an unknown organization',
        false,
        () => store().users.create(sampleUser({ organizationId: 'org_9' }), audit),
      ],
      ['a limit of an unknown user', undefined, () => store().users.setLimit(limit('usr_9'), audit)],
      [
        'a key of an unknown user',
        false,
        () => store().apiKeys.create(sampleApiKey({ userId: 'usr_9' }), audit),
      ],
      ['no key', undefined, () => store().apiKeys.revoke({ id: 'key_9', revokedAtMs: 1 }, audit)],
      ['a second first organization', false, () => store().organizations.createFirst(sampleFirst(2), audit)],
    ])('are both missing when nothing changed: %s', async (_what, answer, change) => {
      expect(await change()).toBe(answer)
      expect(await audits()).toEqual([])
    })

    test('name a revocation once', async () => {
      const revoke = (id: string) =>
        store().apiKeys.revoke({ id: 'key_1', revokedAtMs: MORNING_MS }, sampleAudit({ id }))
      await Promise.all([revoke('aud_1'), revoke('aud_2'), revoke('aud_3')])
      expect(await audits()).toHaveLength(1)
    })

    test('fail together', async () => {
      await store().audit.add(audit)
      await expect(store().organizations.create(sampleOrganization({ id: 'org_2' }), audit)).rejects.toThrow()
      await expect(store().users.setLimit(limit('usr_1'), audit)).rejects.toThrow()
      await expect(store().apiKeys.revoke({ id: 'key_1', revokedAtMs: 1 }, audit)).rejects.toThrow()
      expect(await store().organizations.find('org_2')).toBeUndefined()
      expect(await store().users.find('usr_1')).toMatchObject({ maxDailyUserLimit: null })
      expect(await store().apiKeys.findCaller('digest-1')).toBeDefined()
      expect(await audits()).toHaveLength(1)
    })
  })
}
