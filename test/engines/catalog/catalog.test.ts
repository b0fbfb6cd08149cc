import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMemoryCache } from '../../../src/adapters/memory/memory-cache.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { keepCatalog } from '../../../src/app/catalog/keep-catalog.ts'
import { openPriceBook, type PriceBook } from '../../../src/app/catalog/price-book.ts'
import { syncModelPrice, syncOrganization } from '../../../src/app/limits/sync/copy-entry.ts'
import { subscribeToInvalidations } from '../../../src/app/limits/sync/invalidations.ts'
import { readOneModel } from '../../../src/config/catalog/read-one-model.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { CatalogEntry } from '../../../src/domain/catalog/model.ts'
import type { NewAudit } from '../../../src/ports/audit.ts'
import type { Cache } from '../../../src/ports/cache.ts'
import type { Log } from '../../../src/ports/log.ts'
import type { Store } from '../../../src/ports/store.ts'
import { CACHE_ENGINES, type CacheEngine } from '../cache/cache-engine.ts'
import { createLogBook } from '../cache/log-book.ts'
import { sampleOrganization } from '../store/sample-rows.ts'
import { SILENT_LOG } from '../store/silent-log.ts'
import { openStoreInFolder, type StoreInFolder } from './store-in-folder.ts'

const second = (priceMicros: number) =>
  ({
    unit: 'second',
    resolution: null,
    videoInput: null,
    audio: null,
    priceMicros: micros(priceMicros),
  }) as const

const V3: CatalogEntry = {
  modelId: 5,
  name: 'vendorB/gen-v3',
  endpoints: null,
  maxOutputTokens: undefined,
  fallbacks: undefined,
  prices: [second(50_000)],
}
const FRESH: CatalogEntry = { ...V3, modelId: 20, name: 'vendorB/fresh', prices: [second(1)] }

const ANY = { resolution: '*', video_input: '*', audio: '*' }
const PRICE_KEY = 'sluice:{model:5}:price'
const QUOTA_KEY = 'sluice:{org:org_1}:quota'

const newId = createIds(systemClock)

const audit = (): NewAudit => ({
  id: newId('aud'),
  atMs: 0,
  actor: 'cli',
  action: 'test',
  organizationId: null,
  subject: 'test',
  detail: {},
})

/** Returns a cache that rejects every call, as an unreachable engine does. */
async function closedCache(): Promise<Cache> {
  const cache = createMemoryCache({ clock: systemClock, maxBytes: 1_000, log: SILENT_LOG })
  await cache.close()
  return cache
}

let opened: StoreInFolder
let store: Store
beforeAll(async () => {
  opened = await openStoreInFolder()
  store = opened.store
})
afterAll(() => opened.close())

describe.each(Object.entries(CACHE_ENGINES))('with the cache in %s', (_, openEngine) => {
  let engine: CacheEngine
  beforeAll(async () => {
    engine = await openEngine()
    // A server that was just started may take a moment; the caches connect by themselves.
    const pings = () => Promise.all([engine.cache.ping(), engine.replica.ping()])
    await vi.waitFor(pings, { timeout: 60_000, interval: 50 })
  })
  afterAll(() => engine.close())
  beforeEach(() => opened.empty())

  const operator = ({ cache, log }: { cache: Cache; log: Log } = { cache: engine.cache, log: SILENT_LOG }) =>
    keepCatalog({ models: store.models, cache, log, clock: systemClock, newId, readOneModel, actor: 'cli' })

  /** The price book of another replica. Its clock stands still, so it reads again only after a message. */
  async function otherReplica(): Promise<PriceBook> {
    const clock = { nowMs: () => 0, monotonicMs: () => 0 }
    const book = openPriceBook({ models: store.models, clock, offers: () => true })
    await subscribeToInvalidations({ cache: engine.replica, log: SILENT_LOG, forget: () => book.forget() })
    return book
  }

  const priceOf = async (book: PriceBook) =>
    (await book.findModel('vendorB/gen-v3', 'org_1'))?.prices[0]?.priceMicros
  const actions = async () => (await store.audit.list({ limit: 10 })).map(({ action }) => action)

  test('a new store has the built-in models, whichever catalog is applied first', async () => {
    const plan = await operator().applyCatalog([V3, FRESH])
    expect(plan.map(({ change }) => change)).toEqual(['changed', 'new'])
    const models = await operator().listModels()
    expect(models.map(({ modelId }) => modelId)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 1_000_000,
    ])
    expect(models[4]?.prices).toEqual([second(50_000)])
  })

  test('an applied catalog is seen on all replicas immediately, and audited', async () => {
    await operator().listModels()
    const book = await otherReplica()
    expect(await priceOf(book)).toBe(40_000)
    await operator().applyCatalog([V3, FRESH])
    await expect.poll(() => priceOf(book)).toBe(50_000)
    expect(await book.findModel('vendorB/fresh', 'org_1')).toMatchObject({ modelId: 20 })
    expect(await store.audit.list({ limit: 10 })).toMatchObject([
      {
        actor: 'cli',
        action: 'catalog.apply',
        detail: {
          'vendorB/gen-v3': 'changed; second: 0.04 -> 0.05',
          'vendorB/fresh': 'new; second: none -> 0.000001',
        },
      },
    ])
  })

  test('a second apply changes nothing and is not audited', async () => {
    await operator().applyCatalog([V3])
    const [planned] = await operator().applyCatalog([V3])
    expect(planned?.change).toBe('unchanged')
    expect(await actions()).toEqual(['catalog.apply'])
  })

  test('planned prices are written with the first change after their time, and not before', async () => {
    let nowMs = 1_000
    const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }
    const parts = { models: store.models, cache: engine.cache, log: SILENT_LOG, newId, readOneModel }
    const { updateModel, listModels } = keepCatalog({ ...parts, clock, actor: 'cli' })
    const prices_from = new Date(5_000).toISOString()
    await updateModel(
      'vendorB/gen-v3',
      JSON.stringify({ prices: [{ unit: 'second', usd: 0.05 }], prices_from }),
    )
    await updateModel('vendorB/gen-v3', '{ ends: 2030-01-01 }')
    const stored = () => store.models.find(5)
    expect(await stored()).toMatchObject({ prices: [second(40_000)], nextPrices: { fromMs: 5_000 } })
    nowMs = 5_000
    expect((await listModels())[4]?.prices).toEqual([second(50_000)])
    await updateModel('vendorB/gen-v3', '{ ends: 2031-01-01 }')
    expect(await stored()).toMatchObject({ prices: [second(50_000)], ends: '2031-01-01' })
    expect(await stored()).not.toHaveProperty('nextPrices')
  })

  test('a plan changes nothing', async () => {
    expect(await operator().planCatalog([V3])).toMatchObject([{ change: 'changed' }])
    expect(await operator().planCatalog([V3])).toMatchObject([{ change: 'changed' }])
    expect(await actions()).toEqual([])
  })

  test('a conflict changes nothing', async () => {
    const applying = operator().applyCatalog([V3, { ...FRESH, modelId: 7 }])
    await expect(applying).rejects.toMatchObject({ code: 'invalid_parameter' })
    expect((await store.models.find(5))?.prices).toEqual([second(40_000)])
    expect(await actions()).toEqual([])
  })

  test('a failed message is a warning, and the change stays', async () => {
    const log = createLogBook()
    await operator({ cache: await closedCache(), log }).applyCatalog([V3, FRESH])
    expect(log.events).toEqual(['prices.announce_failed'])
    expect((await store.models.find(5))?.prices).toEqual([second(50_000)])
  })

  test('a removed model is gone everywhere immediately, and audited', async () => {
    await operator().applyCatalog([FRESH])
    const book = await otherReplica()
    expect(await book.findModel('vendorB/fresh', 'org_1')).toMatchObject({ modelId: 20 })
    expect(await operator().removeModel('vendorB/fresh')).toMatchObject({ modelId: 20, prices: [second(1)] })
    await expect.poll(() => book.findModel('vendorB/fresh', 'org_1')).toBeUndefined()
    expect(await store.audit.list({ limit: 1 })).toMatchObject([
      { action: 'model.remove', subject: 'vendorB/fresh', detail: { model_id: '20' } },
    ])
  })

  test.each<[string, string, string, RegExp]>([
    ['that is unknown', 'vendorB/none', 'not_found', /There is no model vendorB\/none/],
    ['that is built in', 'vendorB/gen-v3', 'invalid_parameter', /it is built in/],
    ['that another model needs', 'vendorB/fresh', 'invalid_parameter', /vendorB\/gen-v3 names it in its/],
  ])('a model %s is not removed', async (_case, name, code, message) => {
    const film = { ...FRESH, likeModel: 'vendorB/gen-v3' }
    await operator().applyCatalog([film, { ...V3, standIns: ['vendorB/fresh'] }])
    const before = await actions()
    await expect(operator().removeModel(name)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
    expect(await actions()).toEqual(before)
    expect(await store.models.find(20)).toBeDefined()
  })

  describe('the sync of a model', () => {
    const sync = (modelId: number) =>
      syncModelPrice({ models: store.models, cache: engine.cache, clock: systemClock })(modelId)

    test('writes its prices and notifies every replica', async () => {
      await operator().listModels()
      const book = await otherReplica()
      expect(await priceOf(book)).toBe(40_000)
      const { prices, ...model } = (await store.models.find(5)) ?? expect.fail('no model')
      expect(prices).toEqual([second(40_000)])
      const call = { ...second(10_000), unit: 'web_search_call' } as const
      const factor = { ...second(1_500_000), unit: 'priority_tier' } as const
      await store.models.apply([{ model, prices: [second(60_000), call, factor] }], audit())
      await sync(5)
      await expect.poll(() => priceOf(book)).toBe(60_000)
      expect(JSON.parse((await engine.replica.get(PRICE_KEY)) ?? '')).toEqual({
        model_id: 5,
        name: 'vendorB/gen-v3',
        prices: [
          { ...ANY, unit: 'second', usd: '0.06' },
          { ...ANY, unit: 'web_search_call', usd: '0.01' },
          { ...ANY, unit: 'priority_tier', times: '1.5' },
        ],
      })
    })

    test('of a missing model removes its entry', async () => {
      await engine.cache.set(PRICE_KEY, 'old', { ttlMs: 60_000 })
      await sync(5)
      expect(await engine.replica.get(PRICE_KEY)).toBeUndefined()
      await sync(Number.MAX_SAFE_INTEGER)
    })

    test('fails with the store, and leaves the entry', async () => {
      await engine.cache.set(PRICE_KEY, 'old', { ttlMs: 60_000 })
      const away = new ApiError('store_unavailable')
      const find = () => Promise.reject(away)
      await expect(
        syncModelPrice({ models: { find }, cache: engine.cache, clock: systemClock })(5),
      ).rejects.toBe(away)
      expect(await engine.replica.get(PRICE_KEY)).toBe('old')
    })

    test('fails with the cache', async () => {
      await operator().listModels()
      const cache = await closedCache()
      await expect(syncModelPrice({ models: store.models, cache, clock: systemClock })(5)).rejects.toThrow(
        'The cache is closed.',
      )
    })
  })

  describe('the sync of an organization', () => {
    const sync = (id: string) =>
      syncOrganization({ organizations: store.organizations, cache: engine.cache })(id)

    test('writes its quota and notifies every replica', async () => {
      await store.organizations.create(sampleOrganization({ requestsPerMinute: 60 }), audit())
      const received: unknown[] = []
      await subscribeToInvalidations({
        cache: engine.replica,
        log: SILENT_LOG,
        forget: (change) => received.push(change),
      })
      await sync('org_1')
      await expect.poll(() => received).toContainEqual({ kind: 'organization', id: 'org_1' })
      expect(JSON.parse((await engine.replica.get(QUOTA_KEY)) ?? '')).toEqual({
        organization_id: 'org_1',
        billing: 'prepaid',
        balance_micros: 0,
        held_micros: 0,
        requests_per_minute: 60,
      })
    })

    test('of a missing organization removes its entry', async () => {
      await engine.cache.set(QUOTA_KEY, 'old', { ttlMs: 60_000 })
      await sync('org_1')
      expect(await engine.replica.get(QUOTA_KEY)).toBeUndefined()
    })
  })
})
