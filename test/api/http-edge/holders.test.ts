import { expect, onTestFinished, test } from 'vitest'
import { createHolders } from '../../../src/adapters/system/holders.ts'
import { hot } from './echo-operations.ts'
import { ADMIN_KEY, KEY } from './memory-app.ts'
import { startEdge } from './start-edge.ts'

test('what a request begins works for its organization, or for operators', async () => {
  const holders = createHolders()
  const tell = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return { holder: holders.current() }
  }
  const post = hot({ area: 'video', path: '/v1/video/noted' }, async () => JSON.stringify(await tell()))
  const get = { ...post, id: 'adminHolder', method: 'GET', area: 'admin', path: '/admin/v1/holder' } as const
  const operator = { ...get, access: 'admin', body: undefined, isHot: undefined, handle: () => tell } as const
  const edge = await startEdge({ operations: [post, operator], holders })
  onTestFinished(() => edge.close())
  const authorization = `Bearer ${KEY}`
  const sent = await fetch(`${edge.url}/v1/video/noted`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'a'.repeat(100_000) }),
  })
  expect(await sent.json()).toEqual({ holder: 'org_1' })
  const asked = await fetch(`${edge.url}/admin/v1/holder`, { headers: { 'x-admin-key': ADMIN_KEY } })
  expect(await asked.json()).toEqual({ holder: 'admin' })
  expect(holders.current()).toBe('')
})
