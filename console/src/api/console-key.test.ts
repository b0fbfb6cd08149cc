import { afterEach, expect, test, vi } from 'vitest'
import { withConsoleKey } from './console-key.ts'

afterEach(() => vi.unstubAllGlobals())

/** Stands in for an admin API with one console key, of which only the newest secret works. */
function stubGateway() {
  let secrets = 0
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.includes('/rotate')) return Response.json({ key: `secret-${++secrets}` })
    return Response.json({ data: [{ id: 'key_1', name: 'console', revoked_at: null, expires_at: null }] })
  })
  return {
    rotateElsewhere: () => void secrets++,
    send: async (key: string) => new Response(key, { status: key === `secret-${secrets}` ? 200 : 401 }),
    rotations: () => secrets,
  }
}

test('a key that another tab has rotated is made anew once for all requests that it refused', async () => {
  const gateway = stubGateway()
  const ask = () => withConsoleKey('org_1', gateway.send)
  expect(await (await ask()).text()).toBe('secret-1')
  gateway.rotateElsewhere()
  const replies = await Promise.all([ask(), ask()])
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(gateway.rotations()).toBe(3)
})

test('a request that is refused with a new key too is not sent a third time', async () => {
  stubGateway()
  const send = vi.fn(async () => new Response('', { status: 401 }))
  expect(await withConsoleKey('org_2', send)).toMatchObject({ status: 401 })
  expect(send).toHaveBeenCalledTimes(2)
})
