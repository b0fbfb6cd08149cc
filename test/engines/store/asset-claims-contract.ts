import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { createOrganizations, processing, sampleAsset, sampleAssetMove, sampleGroup } from './sample-asset.ts'
import { MORNING_MS } from './sample-rows.ts'

export function describeAssetClaims(opened: GetOpened): void {
  const assets = () => opened().store.assets
  const NOW_MS = MORNING_MS + 10_000
  const LEASE_MS = 60_000
  const claim = ({ provider = 'vendorA', nowMs = NOW_MS, limit = 10 } = {}) =>
    assets()
      .claimDue({ provider, nowMs, leaseUntilMs: nowMs + LEASE_MS, limit })
      .then(({ assets: claimed }) => claimed)

  describe('claiming assets', () => {
    beforeEach(async () => {
      await createOrganizations(opened().store, 'org_1')
      await assets().setDefaultGroup(sampleGroup())
      await assets().setDefaultGroup(sampleGroup({ id: 'grp_b', provider: 'vendorB' }))
    })

    test('skips rows that are not due, have ended, or belong to another provider', async () => {
      await assets().create(sampleAsset({ id: 'ast_later', nextPollAtMs: NOW_MS + 1 }), undefined)
      await assets().create(sampleAsset({ id: 'ast_ended' }), undefined)
      await assets().move(sampleAssetMove('active', { id: 'ast_ended' }))
      await assets().create(sampleAsset({ id: 'ast_other', groupId: 'grp_b' }), undefined)
      expect(await claim()).toEqual([])
      expect(await claim({ provider: 'vendorB' })).toMatchObject([{ id: 'ast_other' }])
    })

    test('claims whole assets, once in a lease, each time with the next fence', async () => {
      await assets().create(sampleAsset({ nextPollAtMs: NOW_MS }), undefined)
      expect(await claim()).toStrictEqual([{ ...processing(sampleAsset()), fence: 1 }])
      expect(await claim({ nowMs: NOW_MS + LEASE_MS - 1 })).toEqual([])
      expect(await claim({ nowMs: NOW_MS + LEASE_MS })).toMatchObject([{ fence: 2 }])
    })

    test('claims the assets that have been due longest', async () => {
      for (const number of [3, 1, 2]) {
        await assets().create(
          sampleAsset({ id: `ast_${number}`, nextPollAtMs: MORNING_MS + number }),
          undefined,
        )
      }
      const first = await claim({ limit: 2 })
      expect(first.map(({ id }) => id).toSorted()).toEqual(['ast_1', 'ast_2'])
      expect(await claim({ limit: 2 })).toMatchObject([{ id: 'ast_3' }])
    })

    test('an asset is rescheduled only by the holder of its fence', async () => {
      await assets().create(sampleAsset(), undefined)
      await claim()
      await assets().reschedule({ id: 'ast_1', fence: 0, nextPollAtMs: 0 })
      expect(await claim()).toEqual([])
      await assets().reschedule({ id: 'ast_1', fence: 1, nextPollAtMs: NOW_MS + 500 })
      expect(await claim({ nowMs: NOW_MS + 499 })).toEqual([])
      expect(await claim({ nowMs: NOW_MS + 500 })).toMatchObject([{ fence: 2 }])
    })
  })
}
