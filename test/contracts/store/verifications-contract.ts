import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { createOrganizations, sampleVerification } from './sample-asset.ts'
import { MORNING_MS } from './sample-rows.ts'

export function describeVerifications(opened: GetOpened): void {
  const verifications = () => opened().store.verifications
  const { stateDigest: DIGEST, ...KEPT } = sampleVerification()
  const NOW_MS = MORNING_MS + 1_000
  const finish = (sealedRedirect: string, id = 'ver_1') =>
    verifications().finish({ id, sealedRedirect, atMs: NOW_MS })
  const claim = (id = 'ver_1') => verifications().claimExchange({ id, atMs: NOW_MS })

  describe('verifications', () => {
    beforeEach(async () => {
      await createOrganizations(opened().store, 'org_1', 'org_2')
      await verifications().create(sampleVerification())
      await verifications().create(
        sampleVerification({ id: 'ver_2', organizationId: 'org_2', stateDigest: 'digest-of-state-2' }),
      )
    })

    test('are found by the digest of their state alone', async () => {
      expect(await verifications().find(DIGEST)).toStrictEqual(KEPT)
      expect(await verifications().find('digest-of-state-2')).toMatchObject({ organizationId: 'org_2' })
      expect(await verifications().find('ver_1')).toBeUndefined()
      expect(await verifications().find('')).toBeUndefined()
    })

    test('a state belongs to one of them', async () => {
      await expect(verifications().create(sampleVerification({ id: 'ver_3' }))).rejects.toThrow()
    })

    test('the token is exchanged by one caller, ever', async () => {
      expect(await claim()).toBe(true)
      expect(await claim()).toBe(false)
      expect(await claim('ver_9')).toBe(false)
      expect(await claim('ver_2')).toBe(true)
    })

    test('nothing is exchanged any more after the end', async () => {
      await finish('sealed-redirect')
      expect(await claim()).toBe(false)
    })

    test('the first end stands', async () => {
      const ended = { ...KEPT, sealedRedirect: 'first' }
      expect(await finish('first')).toStrictEqual(ended)
      expect(await finish('second')).toStrictEqual(ended)
      expect(await verifications().find(DIGEST)).toStrictEqual(ended)
      expect(await verifications().find('digest-of-state-2')).toMatchObject({ sealedRedirect: null })
    })

    test('there is no end of what nobody began', async () => {
      expect(await finish('sealed-redirect', 'ver_9')).toBeUndefined()
    })
  })
}
