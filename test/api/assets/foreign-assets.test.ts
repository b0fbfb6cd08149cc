import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { type ApiAnswer, TASKS_PATH } from '../video/call-api.ts'
import { startVideoApi, type VideoApi } from '../video/start-video-api.ts'
import type { Tenant } from '../video/tenants.ts'
import { ASSETS_PATH, type AssetClient, assetClientOf, IMAGE, itemsOf } from './call-assets.ts'

const NO_ASSET = `asset_${'0'.repeat(32)}`
const NO_GROUP = `group_${'0'.repeat(32)}`

/** Every operation that takes the id of an asset, with its status for an unknown id. */
const ASSET_PLACES: [string, number, (client: AssetClient, id: string) => Promise<ApiAnswer>][] = [
  ...OPERATIONS.filter(({ path }) => path.includes(':asset_id')).map(
    ({ method, path }) =>
      [
        `${method} ${path}`,
        404,
        (client: AssetClient, id: string) => client.call(method, path.replace(':asset_id', id)),
      ] satisfies (typeof ASSET_PLACES)[number],
  ),
  ...[
    ['vendorA/gen-2.0', 'image', 'reference_image'],
    ['vendorA/gen-2.0-fast', 'video', 'reference_video'],
    ['vendorB/gen-v4-std', 'image', 'first_frame'],
    ['vendorB/gen-v3', 'image', undefined],
  ].map(
    ([model, kind, role]) =>
      [
        `POST ${TASKS_PATH}: ${model}, ${kind}`,
        400,
        (client: AssetClient, id: string) => {
          const media = { type: `${kind}_url`, [`${kind}_url`]: { url: `asset://${id}` }, role }
          const content = [{ type: 'text', text: 'a cat' }, media]
          return client.call('POST', TASKS_PATH, { body: { model, content } })
        },
      ] satisfies (typeof ASSET_PLACES)[number],
  ),
]

const GROUP_PLACES: typeof ASSET_PLACES = [
  [`POST ${ASSETS_PATH}`, 400, (client, group_id) => client.upload({ ...IMAGE, group_id })],
  [`GET ${ASSETS_PATH}`, 400, (client, id) => client.listAssets(`?group_id=${id}`)],
  [`GET ${ASSETS_PATH}, sorted`, 400, (client, id) => client.listAssets(`?group_id=${id}&sort_by=group_id`)],
]

describe('assets and groups of another organization', () => {
  let api: VideoApi
  let stranger: Tenant
  let owner: AssetClient
  let assets: string[]
  let groups: string[]
  beforeAll(async () => {
    api = await startVideoApi()
    owner = assetClientOf(api, api.tenant)
    stranger = await api.openTenant()
    groups = [await owner.verify(1), await owner.verify(2)]
    const waiting = await owner.make({ url: 'https://media.example/stuck.png' })
    const failed = await owner.make({ url: 'https://media.example/moderated-instant.png' })
    await owner.getAsset(failed)
    const portrait = await owner.makeActive({ group_id: groups[0] })
    assets = [await owner.makeActive(), waiting, failed, portrait]
    const { organizationId } = api.tenant
    const group = await api.store.assets.findDefaultGroup({ organizationId, provider: 'vendorA' })
    groups.push(String(group?.id))
    // The stranger has assets too, and has verified the same person.
    await assetClientOf(api, stranger).makeActive()
    await assetClientOf(api, stranger).verify(1)
  })
  afterAll(() => api.close())

  const expectSame = (foreign: ApiAnswer, unknown: ApiAnswer, status: number) => {
    expect(foreign.status).toBe(status)
    expect({ status: foreign.status, body: foreign.body }).toEqual({
      status: unknown.status,
      body: unknown.body,
    })
    expect([...foreign.headers.keys()].sort()).toEqual([...unknown.headers.keys()].sort())
  }

  test('there are routes to try', () => expect(ASSET_PLACES.length).toBeGreaterThanOrEqual(5))

  test.each(ASSET_PLACES)(
    'a foreign asset is answered like an unknown one: %s',
    async (_name, status, ask) => {
      const client = assetClientOf(api, stranger)
      const money = await api.moneyOf(stranger)
      const asked = (await api.vendors.requests()).length
      const unknown = await ask(client, NO_ASSET)
      for (const id of assets) expectSame(await ask(client, id), unknown, status)
      expect((await api.vendors.requests()).length).toBe(asked)
      expect(await api.moneyOf(stranger)).toEqual(money)
    },
  )

  test.each(GROUP_PLACES)(
    'a foreign group is answered like an unknown one: %s',
    async (_name, status, ask) => {
      const client = assetClientOf(api, stranger)
      const asked = (await api.vendors.requests()).length
      const unknown = await ask(client, NO_GROUP)
      for (const id of groups) expectSame(await ask(client, id), unknown, status)
      expect((await api.vendors.requests()).length).toBe(asked)
    },
  )

  test('a second key of the organization sees all assets, which belong to the organization', async () => {
    const colleague = assetClientOf(api, await api.openKey(api.tenant))
    for (const id of assets) {
      expect((await colleague.getAsset(id)).body).toEqual((await owner.getAsset(id)).body)
    }
    expect(await colleague.upload({ ...IMAGE, group_id: groups[0] })).toMatchObject({ status: 200 })
  })

  test('nothing is in another organization’s list', async () => {
    const items = itemsOf(await assetClientOf(api, stranger).listAssets('?limit=100'))
    expect(items.map((item) => Object(item).id).filter((id) => assets.includes(id))).toEqual([])
  })
})
