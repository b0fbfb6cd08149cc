import { expect, onTestFinished, test } from 'vitest'
import { createHolders } from '../../../src/adapters/system/holders.ts'
import { hot } from './echo-operations.ts'
import { ADMIN_KEY, KEY, memoryApp } from './memory-app.ts'
import { sendRaw } from './raw-connection.ts'
import { startEdge } from './start-edge.ts'

test('work of a request is booked to its organization, or to operators', async () => {
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

test('a request does not begin in the name of the one before it on its connection', async () => {
  const holders = createHolders()
  const found: string[] = []
  const authenticate = (key: string | undefined) => {
    found.push(holders.current())
    return memoryApp().authenticate(key)
  }
  const post = hot({ area: 'video', path: '/v1/video/noted' }, () => '{}')
  const edge = await startEdge({ operations: [post], holders, app: memoryApp({ authenticate }) })
  onTestFinished(() => edge.close())
  const request = (end: string) =>
    `POST /v1/video/noted HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: 2\r\n${end}\r\n{}`
  expect(await sendRaw(edge.port, request('') + request('Connection: close\r\n'))).toHaveLength(2)
  expect(found).toEqual(['', ''])
})
