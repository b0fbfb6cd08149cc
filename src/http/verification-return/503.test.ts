import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { assetClientOf, visit } from '../../../test/assets/call-assets.ts'
import { startVideoApi, type VideoApi } from '../../../test/video-api/start-video-api.ts'
import { Refusal } from '../../domain/errors.ts'
import { WORDS } from './words.ts'

describe('GET /v1/video/assets/sessions/return/{state}', () => {
  let api: VideoApi
  let isAway = false
  const unless = <Args extends unknown[], T>(method: (...args: Args) => Promise<T>) => {
    return (...args: Args) => (isAway ? Promise.reject(new Refusal('store_unavailable')) : method(...args))
  }
  let awayAt: 'find' | 'bindPerson' = 'find'
  beforeAll(async () => {
    api = await startVideoApi({
      around: (store) => ({
        ...store,
        assets: {
          ...store.assets,
          bindPerson: (group) =>
            awayAt === 'bindPerson' ? unless(store.assets.bindPerson)(group) : store.assets.bindPerson(group),
        },
        verifications: {
          ...store.verifications,
          find: (digest) =>
            awayAt === 'find' ? unless(store.verifications.find)(digest) : store.verifications.find(digest),
        },
      }),
    })
  })
  afterAll(() => api.close())

  test('the store is away: a page that asks for patience, and nothing is used up', async () => {
    awayAt = 'find'
    const back = await assetClientOf(api, api.tenant).scan()
    isAway = true
    const { status, headers, text } = await visit(back)
    isAway = false
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
    expect(text).toContain(WORDS.en.obstacles.unavailable.title)
    expect((await visit(back)).location).toContain('group_id=group_')
  })

  test('the store goes away after the exchange: the result is not lost', async () => {
    awayAt = 'bindPerson'
    const back = await assetClientOf(api, api.tenant).scan({ person: 2 })
    isAway = true
    expect(await visit(back)).toMatchObject({ status: 503, location: null })
    isAway = false
    await vi.waitFor(async () => expect((await visit(back)).location).toContain('group_id=group_'), 10_000)
  })
})
