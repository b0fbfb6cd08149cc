import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { createOrganizations, pending, sampleVerification } from './sample-asset.ts'
import { HOUR_MS } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'

export function describeVerifications(opened: GetOpened): void {
  const verifications = () => opened().store.verifications
  const { stateDigest: DIGEST } = sampleVerification()
  const KEPT = pending(sampleVerification())
  const NOW_MS = MORNING_MS + 1_000
  const finish = (encryptedRedirect: string, id = 'ver_1') =>
    verifications().finish({ id, encryptedRedirect, atMs: NOW_MS })
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

    test('each has its own state', async () => {
      await expect(verifications().create(sampleVerification({ id: 'ver_3' }))).rejects.toThrow()
    })

    test('a verification from before languages were kept has none', async () => {
      await opened().runSql("update verifications set language = null where id = 'ver_1'")
      expect(await verifications().find(DIGEST)).toStrictEqual({ ...KEPT, language: null })
    })

    test('the token is exchanged by one caller', async () => {
      expect(await claim()).toBe(true)
      expect(await verifications().find(DIGEST)).toStrictEqual({ ...KEPT, claimedAtMs: NOW_MS })
      expect(await claim()).toBe(false)
      expect(await claim('ver_9')).toBe(false)
      expect(await claim('ver_2')).toBe(true)
    })

    test('a process that releases the exchange leaves it to another', async () => {
      await claim()
      await verifications().releaseExchange({ id: 'ver_1', atMs: NOW_MS - 1 })
      expect(await claim()).toBe(false)
      await verifications().releaseExchange({ id: 'ver_1', atMs: NOW_MS })
      expect(await verifications().find(DIGEST)).toStrictEqual(KEPT)
      expect(await claim()).toBe(true)
      expect(await claim('ver_2')).toBe(true)
    })

    test('no exchange is returned after the end', async () => {
      await claim()
      await finish('sealed-redirect')
      await verifications().releaseExchange({ id: 'ver_1', atMs: NOW_MS })
      expect(await verifications().find(DIGEST)).toMatchObject({ claimedAtMs: NOW_MS })
      expect(await claim()).toBe(false)
    })

    test('no token is exchanged after the end', async () => {
      await finish('sealed-redirect')
      expect(await claim()).toBe(false)
    })

    test('the first end stays, and the token is deleted with it', async () => {
      const ended = { ...KEPT, encryptedToken: null, encryptedRedirect: 'first', endedAtMs: NOW_MS }
      expect(await finish('first')).toStrictEqual(ended)
      expect(await finish('second')).toStrictEqual(ended)
      expect(await verifications().find(DIGEST)).toStrictEqual(ended)
      expect(await verifications().find('digest-of-state-2')).toMatchObject({
        encryptedToken: 'sealed-token',
        encryptedRedirect: null,
        endedAtMs: null,
      })
    })

    test('an unknown verification cannot end', async () => {
      expect(await finish('sealed-redirect', 'ver_9')).toBeUndefined()
    })

    test('are forgotten long after they expired, ended or not, the oldest first', async () => {
      const { expiresAtMs } = KEPT
      await verifications().create(
        sampleVerification({ id: 'ver_3', stateDigest: 'd3', expiresAtMs: expiresAtMs - HOUR_MS }),
      )
      await verifications().create(
        sampleVerification({ id: 'ver_4', stateDigest: 'd4', expiresAtMs: expiresAtMs + 1 }),
      )
      await finish('sealed-redirect', 'ver_2')
      const drop = (expiredByMs: number, limit = 10) => verifications().dropOld({ expiredByMs, limit })
      expect(await drop(expiresAtMs - HOUR_MS - 1)).toBe(0)
      expect(await drop(expiresAtMs, 1)).toBe(1)
      expect(await verifications().find('d3')).toBeUndefined()
      expect(await drop(expiresAtMs)).toBe(2)
      expect(await drop(expiresAtMs)).toBe(0)
      expect(await opened().runSql('select id from verifications')).toEqual([{ id: 'ver_4' }])
    })
  })
}
