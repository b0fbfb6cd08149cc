import { describe, expect, onTestFinished, test } from 'vitest'
import { readForwarded } from '../../../src/http/server/forwarded.ts'
import { ADMIN_KEY } from './memory-app.ts'
import { startEdge } from './start-edge.ts'

const ROUTES = ['GET /admin/v1/live', 'POST /admin/quota/cache/sync/user'] as const

async function open(trustedProxies: readonly string[] = []) {
  const edge = await startEdge({ forwarded: readForwarded(trustedProxies) })
  onTestFinished(() => edge.close())
  const ask = async (route: string, key: string | undefined, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = route.split(' ')
    const answer = await fetch(`${edge.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...headers,
        ...(key !== undefined && { 'x-admin-key': key }),
      },
      ...(method === 'POST' && { body: '{"user_id":"usr_1"}' }),
    })
    const retryAfter = answer.headers.get('retry-after')
    await answer.body?.cancel()
    return { status: answer.status, retryAfter }
  }
  return { ...edge, ask }
}

describe.each(ROUTES)('%s with wrong keys', (route) => {
  test('401 ten times in a minute, then 429; the right key passes, and a missing key does not count', async () => {
    const { ask, advance } = await open()
    for (let guess = 0; guess < 10; guess += 1)
      expect(await ask(route, `guess ${guess}`)).toMatchObject({ status: 401 })
    advance(15_000)
    for (const key of ['another', ''])
      expect(await ask(route, key)).toEqual({ status: 429, retryAfter: '45' })
    expect(await ask(route, ADMIN_KEY)).toMatchObject({ status: 200 })
    expect(await ask(route, undefined)).toMatchObject({ status: 401 })
    advance(45_000)
    expect(await ask(route, 'another')).toMatchObject({ status: 401 })
  })

  test('401 for another client behind a trusted proxy; 429 for a client that writes the header itself', async () => {
    const behind = await open(['127.0.0.0/8'])
    const direct = await open()
    const from = (n: number) => ({ 'x-forwarded-for': `1.1.1.1, 203.0.113.${n}, 127.0.0.9` })
    for (let guess = 0; guess < 10; guess += 1) {
      await behind.ask(route, 'wrong', from(1))
      await direct.ask(route, 'wrong', from(guess))
    }
    expect(await behind.ask(route, 'wrong', from(1))).toMatchObject({ status: 429 })
    expect(await behind.ask(route, 'wrong', from(2))).toMatchObject({ status: 401 })
    expect(await direct.ask(route, 'wrong', from(11))).toMatchObject({ status: 429 })
  })
})

test('a wrong key is counted on all admin routes together', async () => {
  const { ask } = await open()
  for (let guess = 0; guess < 5; guess += 1) for (const route of ROUTES) await ask(route, 'wrong')
  for (const route of ROUTES) expect(await ask(route, 'wrong')).toMatchObject({ status: 429 })
})
