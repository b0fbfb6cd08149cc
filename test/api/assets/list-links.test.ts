import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startVideoApi, type VideoApi } from '../video/start-video-api.ts'
import { type AssetClient, assetClientOf, itemsOf } from './call-assets.ts'

const HOUR_MS = 3_600_000
const ASK = 'vendor-a-assets get-asset'
const LIST = 'vendor-a-assets list-assets'
const BROKEN = { part: 'vendor-a-assets', fault: { kind: 'status', status: 500 } } as const
const WITHOUT_LINKS = 'asset.links_expired'
const UNKNOWN_TO_VENDOR = 'asset.unknown_to_vendor'

describe('the links of a page that differs from the page of the vendor', () => {
  let api: VideoApi
  const questions = { now: 0, max: 0 }
  let person = 100
  beforeAll(async () => {
    api = await startVideoApi({
      assetPatienceMs: 3_000,
      assetDriver: (driver) => ({
        ...driver,
        async getAsset(ticket, organizationId) {
          questions.now += 1
          questions.max = Math.max(questions.max, questions.now)
          return driver.getAsset(ticket, organizationId).finally(() => {
            questions.now -= 1
          })
        },
      }),
    })
  })
  afterEach(() => api.vendors.clearFaults())
  afterAll(() => api.close())

  const open = async () => assetClientOf(api, await api.openTenant())
  const urlsOf = async (client: AssetClient, query: string) =>
    itemsOf(await client.listAssets(query)).map((item) => Object(item).url)
  /** Requests to the vendor's API, without those for the media themselves. */
  const asked = async (since: number) =>
    (await api.vendors.requests())
      .slice(since)
      .filter((line) => line === ASK || line === LIST)
      .toSorted()
  const warnings = () => api.lines.filter(({ event }) => event === WITHOUT_LINKS).map(({ fields }) => fields)

  /** Verifies a person in two organizations; the vendor's first pages have only the portraits of the other one. */
  async function share(count: number) {
    person += 1
    const client = await open()
    const other = await open()
    const query = `?limit=${count}&group_id=${await client.verify(person)}`
    const group = await other.verify(person)
    const ids: string[] = []
    for (let at = 0; at < count; at += 1) {
      ids.push(await client.makeActive({ group_id: query.split('=').at(-1) }))
    }
    api.time.nowMs += 1_000
    for (let at = 0; at < count; at += 1) await other.make({ group_id: group })
    const before = await urlsOf(client, query)
    expect(new Set(before).size).toBe(count)
    return { client, query, ids, before, since: (await api.vendors.requests()).length }
  }

  test('are requested one by one for a person in two organizations', async () => {
    const { client, query, before, since } = await share(3)
    api.time.nowMs += 12 * HOUR_MS
    const after = await urlsOf(client, query)
    expect(await asked(since)).toEqual([ASK, ASK, ASK, LIST])
    for (const [at, url] of after.entries()) {
      expect(url).not.toBe(before[at])
      expect((await fetch(String(url))).status).toBe(200)
    }
    expect(await urlsOf(client, query)).toEqual(after)
    expect(await asked(since)).toHaveLength(4)
  })

  test('are renewed for a name that the vendor spells otherwise', async () => {
    const client = await open()
    await client.makeActive({ name: 'Ａlpha' })
    const before = await urlsOf(client, '?name=alpha')
    api.time.nowMs += 12 * HOUR_MS
    const after = await urlsOf(client, '?name=alpha')
    expect(after).toEqual([expect.stringMatching(/^http/)])
    expect(after).not.toEqual(before)
  })

  test('are sorted by our own update time', async () => {
    const client = await open()
    const late = await client.make()
    api.time.nowMs += 1_000
    await client.makeActive()
    api.time.nowMs += 1_000
    expect(await client.getAsset(late)).toMatchObject({ body: { id: late, status: 'active' } })
    const newest = '?sort_by=update_time&limit=1'
    const [before] = await urlsOf(client, newest)
    api.time.nowMs += 12 * HOUR_MS
    const after = itemsOf(await client.listAssets(newest))
    expect(after).toMatchObject([{ id: late, url: expect.stringMatching(/^http/) }])
    expect(Object(after[0]).url).not.toBe(before)
  })

  test('are requested a few at a time', async () => {
    const { client, query, before } = await share(20)
    api.time.nowMs += 12 * HOUR_MS
    questions.max = 0
    const after = await urlsOf(client, query)
    expect(after.filter((url) => typeof url === 'string' && !before.includes(url))).toHaveLength(20)
    expect(questions.max).toBeGreaterThan(1)
    expect(questions.max).toBeLessThanOrEqual(8)
  })

  test('are requested once, shared with a Get', async () => {
    const { client, query, ids, since } = await share(1)
    api.time.nowMs += 12 * HOUR_MS
    await api.vendors.breakDown({ ...BROKEN, operation: 'get-asset', times: 1, fault: { kind: 'hang' } })
    const get = client.getAsset(String(ids[0]))
    await expect.poll(() => asked(since)).toEqual([ASK])
    expect(await urlsOf(client, query)).toEqual([undefined])
    expect(await get).toMatchObject({ status: 200, body: { status: 'active' } })
    expect(await asked(since)).toEqual([ASK, LIST])
  })

  test.each([
    ['is broken', { kind: 'status', status: 500 }],
    ['says nothing', { kind: 'hang' }],
  ] as const)('are left out when they are too old and the vendor %s', async (_name, fault) => {
    const { client, query, ids, before } = await share(3)
    api.time.nowMs += 11 * HOUR_MS - 60_000
    await api.vendors.breakDown({ ...BROKEN, operation: 'get-asset', fault })
    const warned = warnings().length
    expect(await urlsOf(client, query)).toEqual(before)
    expect(warnings()).toHaveLength(warned)
    api.time.nowMs += 60_000
    const answer = await client.listAssets(query)
    expect(answer).toMatchObject({ status: 200, body: { total_count: 3 } })
    const items = itemsOf(answer)
    expect(items).toMatchObject(ids.toReversed().map((id) => ({ id, status: 'active' })))
    for (const item of items) expect(item).not.toHaveProperty('url')
    expect(warnings().slice(warned)).toEqual([
      { organizationId: expect.any(String), provider: 'vendorA', count: 3 },
    ])
    const { body } = await client.getAsset(String(ids[0]))
    expect(body).toMatchObject({ status: 'active' })
    expect(body).not.toHaveProperty('url')
    await api.vendors.clearFaults()
  })

  test('are requested one by one when the vendor cannot list, but only for assets that need a new link', async () => {
    const { client, query, before, since } = await share(3)
    await api.vendors.breakDown({ ...BROKEN, operation: 'list-assets' })
    api.time.nowMs += 7 * HOUR_MS
    expect(await urlsOf(client, query)).toEqual(before)
    expect(await asked(since)).toEqual([LIST])
    api.time.nowMs += 5 * HOUR_MS
    const after = await urlsOf(client, query)
    expect(after).toEqual(before.map(() => expect.stringMatching(/^http/)))
    expect(after.filter((url) => before.includes(url))).toEqual([])
  })

  test('are shown until they are too old if the vendor does not know the assets, which stay active', async () => {
    const { client, query, ids, before } = await share(2)
    const error = { Code: 'NotFound.asset_id', Message: 'gone' }
    const body = { ResponseMetadata: { RequestId: '1', Error: error } }
    const fault = { kind: 'status', status: 404, body } as const
    await api.vendors.breakDown({ ...BROKEN, operation: 'get-asset', fault })
    const unknown = () => api.lines.filter(({ event }) => event === UNKNOWN_TO_VENDOR)
    const reported = unknown().length
    const warned = warnings().length
    api.time.nowMs += 11 * HOUR_MS - 60_000
    expect(await urlsOf(client, query)).toEqual(before)
    expect(unknown()).toHaveLength(reported + 2)
    expect(warnings()).toHaveLength(warned)
    api.time.nowMs += 60_000
    const items = itemsOf(await client.listAssets(query))
    expect(items).toMatchObject(ids.toReversed().map((id) => ({ id, status: 'active' })))
    for (const item of items) expect(item).not.toHaveProperty('url')
    expect(unknown()).toHaveLength(reported + 4)
    expect(warnings()).toHaveLength(warned + 1)
    await api.vendors.clearFaults()
    const after = await urlsOf(client, `${query}&status=active`)
    expect(after).toEqual(before.map(() => expect.stringMatching(/^http/)))
  })
})
