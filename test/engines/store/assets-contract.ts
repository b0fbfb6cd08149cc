import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { createOrganizations, processing, sampleAsset, sampleAssetMove, sampleGroup } from './sample-asset.ts'
import { MORNING_MS } from './sample-rows.ts'

export function describeAssets(opened: GetOpened): void {
  const assets = () => opened().store.assets
  const find = (id = 'ast_1', organizationId = 'org_1') => assets().find({ id, organizationId })

  describe('assets', () => {
    beforeEach(async () => {
      await createOrganizations(opened().store, 'org_1', 'org_2')
      await assets().setDefaultGroup(sampleGroup())
      await assets().setDefaultGroup(sampleGroup({ id: 'grp_2', organizationId: 'org_2' }))
    })

    describe('finding assets', () => {
      test('a new asset is processing, with the kind of its group', async () => {
        await assets().create(sampleAsset(), undefined)
        expect(await find()).toStrictEqual(processing(sampleAsset()))
        await assets().bindPerson(
          sampleGroup({ id: 'grp_p', kind: 'person', provider: 'vendorX' }),
          undefined,
        )
        await assets().create(
          sampleAsset({ id: 'ast_2', groupId: 'grp_p', name: null, type: 'Audio' }),
          undefined,
        )
        expect(await find('ast_2')).toMatchObject({
          groupId: 'grp_p',
          groupKind: 'person',
          provider: 'vendorX',
          name: null,
          type: 'Audio',
        })
      })

      test('neither a foreign nor an unknown asset is found', async () => {
        await assets().create(sampleAsset(), undefined)
        expect(await find('ast_1', 'org_2')).toBeUndefined()
        expect(await find('ast_9')).toBeUndefined()
      })

      test('nothing is created in a foreign or an unknown group', async () => {
        for (const groupId of ['grp_2', 'grp_9']) {
          expect(await assets().create(sampleAsset({ groupId }), undefined)).toBe(false)
        }
        expect(await find()).toBeUndefined()
      })

      test('several assets are found in one call, without the foreign and the unknown', async () => {
        const mine = Array.from({ length: 75 }, (_, number) => `ast_${number}`)
        for (const id of mine) await assets().create(sampleAsset({ id }), undefined)
        await assets().create(
          sampleAsset({ id: 'ast_theirs', organizationId: 'org_2', groupId: 'grp_2' }),
          undefined,
        )
        const ids = [...mine, 'ast_theirs', 'ast_unknown', ...mine]
        const found = await assets().findAll({ ids, organizationId: 'org_1' })
        expect(found.map(({ id }) => id).toSorted()).toEqual(mine.toSorted())
        expect(found).toContainEqual(processing(sampleAsset({ id: 'ast_7' })))
        expect(await assets().findAll({ ids: [], organizationId: 'org_1' })).toEqual([])
      })
    })

    describe('moving assets', () => {
      const FRESH_MS = MORNING_MS + 2_000
      beforeEach(() => assets().create(sampleAsset(), undefined))

      test('to active, with its URL', async () => {
        const active = {
          ...processing(sampleAsset()),
          status: 'active',
          encryptedUrl: 'sealed-url',
          urlAtMs: MORNING_MS + 1_000,
          updatedAtMs: MORNING_MS + 1_000,
        }
        expect(await assets().move(sampleAssetMove('active'))).toStrictEqual(active)
        expect(await find()).toStrictEqual(active)
      })

      test('to failed, with its error, with any characters', async () => {
        const error = { code: 'down\0load', message: 'Not\0 found ☂' }
        const failed = {
          ...processing(sampleAsset()),
          status: 'failed',
          error: { code: 'download', message: 'Not found ☂' },
          updatedAtMs: MORNING_MS + 1_000,
        }
        expect(await assets().move(sampleAssetMove('failed', { error }))).toStrictEqual(failed)
        expect(await find()).toStrictEqual(failed)
      })

      test('to processing again changes nothing', async () => {
        const still = await assets().move(sampleAssetMove('processing'))
        expect(still).toStrictEqual(processing(sampleAsset()))
      })

      test('an end is never left', async () => {
        await assets().move(sampleAssetMove('active'))
        await assets().create(sampleAsset({ id: 'ast_2' }), undefined)
        await assets().move(sampleAssetMove('failed', { id: 'ast_2' }))
        for (const id of ['ast_1', 'ast_2']) {
          const before = await find(id)
          for (const status of ['processing', 'failed', 'active'] as const) {
            if (status === before?.status) continue
            const move = sampleAssetMove(status, { id, atMs: FRESH_MS })
            expect(await assets().move(move)).toStrictEqual(before)
          }
          expect(await find(id)).toStrictEqual(before)
        }
      })

      test('an active asset gets a new URL, and keeps its update time', async () => {
        await assets().move(sampleAssetMove('active'))
        const fresh = sampleAssetMove('active', { encryptedUrl: 'fresh', atMs: FRESH_MS })
        expect(await assets().move(fresh)).toMatchObject({
          encryptedUrl: 'fresh',
          urlAtMs: FRESH_MS,
          updatedAtMs: MORNING_MS + 1_000,
        })
      })

      test('an active asset keeps its URL when a move has none', async () => {
        await assets().move(sampleAssetMove('active'))
        const bare = sampleAssetMove('active', { encryptedUrl: null, atMs: FRESH_MS })
        expect(await assets().move(bare)).toMatchObject({
          encryptedUrl: 'sealed-url',
          urlAtMs: MORNING_MS + 1_000,
        })
      })

      test('an active asset without a URL can get one later', async () => {
        const bare = await assets().move(sampleAssetMove('active', { encryptedUrl: null }))
        expect(bare).toMatchObject({ status: 'active', encryptedUrl: null, urlAtMs: null })
        const late = await assets().move(sampleAssetMove('active', { atMs: FRESH_MS }))
        expect(late).toMatchObject({ encryptedUrl: 'sealed-url', urlAtMs: FRESH_MS })
      })

      test('an unknown asset is not moved', async () => {
        expect(await assets().move(sampleAssetMove('active', { id: 'ast_9' }))).toBeUndefined()
      })

      test("what is another organization's is not moved and not shown", async () => {
        for (const status of ['processing', 'failed', 'active'] as const) {
          const foreign = sampleAssetMove(status, { organizationId: 'org_2' })
          expect(await assets().move(foreign)).toBeUndefined()
        }
        expect(await find()).toStrictEqual(processing(sampleAsset()))
        await assets().move(sampleAssetMove('active'))
        const before = await find()
        const fresh = sampleAssetMove('active', { organizationId: 'org_2', encryptedUrl: 'theirs' })
        expect(await assets().move(fresh)).toBeUndefined()
        expect(await find()).toStrictEqual(before)
      })
    })
  })
}
