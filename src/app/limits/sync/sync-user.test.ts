import { expect, test } from 'vitest'
import type { UserSync } from '../../../domain/limits/user-limit.ts'
import type { Cache } from '../../../ports/cache.ts'
import { syncUser } from './sync-user.ts'

function setup(sync: () => Promise<UserSync>) {
  const published: string[] = []
  const cache: Pick<Cache, 'publish'> = {
    publish: async (_topic, message) => void published.push(message),
  }
  return { sync: syncUser({ syncLimitCache: sync, cache }), published }
}

test('every replica is notified', async () => {
  const { sync, published } = setup(async () => ({ kind: 'forget' }))
  await sync('usr_1')
  expect(published.map((message) => JSON.parse(message))).toEqual([{ kind: 'user', id: 'usr_1' }])
})

test('a refused row rejects with the exact message of the contract, and is not published', async () => {
  const { sync, published } = setup(async () => ({ kind: 'refuse' }))
  await expect(sync('usr_1')).rejects.toMatchObject({
    code: 'invalid_parameter',
    message: 'enable_limit=true requires max_daily_user_limit > 0',
  })
  expect(published).toEqual([])
})

test('errors of the store and the cache reach the caller', async () => {
  const { sync, published } = setup(() => Promise.reject(new Error('away')))
  await expect(sync('usr_1')).rejects.toThrow('away')
  expect(published).toEqual([])
})
