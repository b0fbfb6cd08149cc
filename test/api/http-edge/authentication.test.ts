import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { CALLER } from '../../caller.ts'
import { expectError, readAnswer } from './answer.ts'
import { BODYLESS, ECHOES } from './echo-operations.ts'
import { KEY, memoryApp } from './memory-app.ts'
import { sendRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

describe('a key', () => {
  let edge: Edge
  let presented: (string | undefined)[] = []
  const authenticate: App['authenticate'] = async (key) => {
    presented.push(key)
    if (key !== KEY) throw new ApiError('invalid_api_key')
    return CALLER
  }
  beforeAll(async () => {
    edge = await startEdge({ operations: [...ECHOES, ...BODYLESS], app: memoryApp({ authenticate }) })
  })
  afterAll(() => edge.close())

  const post = async (area: string, headers: Record<string, string>) => {
    presented = []
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' }
    return readAnswer(await fetch(`${edge.url}/v1/${area}/echo`, init))
  }

  test.each([
    { authorization: `Bearer ${KEY}` },
    { authorization: `bearer ${KEY}` },
    { authorization: `BEARER    ${KEY}` },
    { authorization: `Bearer ${KEY}  ` },
  ])('is taken as %o everywhere', async (headers) => {
    for (const area of ['video', 'messages', 'responses'])
      expect(await post(area, headers)).toMatchObject({ status: 200 })
  })

  test('is taken as x-api-key on the text endpoints only', async () => {
    expect(await post('messages', { 'x-api-key': KEY })).toMatchObject({ status: 200 })
    expect(await post('responses', { 'x-api-key': KEY })).toMatchObject({ status: 200 })
    expectError(await post('video', { 'x-api-key': KEY }), 'video', 401, 'invalid_api_key')
    expect(presented).toEqual([undefined])
  })

  test('may be sent in both headers if they agree; video reads Authorization only', async () => {
    const twice = { authorization: `Bearer ${KEY}`, 'x-api-key': KEY }
    expect(await post('messages', twice)).toMatchObject({ status: 200 })
    expectError(await post('messages', { ...twice, 'x-api-key': 'another' }), 'messages', 401)
    expectError(await post('messages', { ...twice, authorization: 'Bearer another' }), 'messages', 401)
    expect(await post('video', { ...twice, 'x-api-key': 'another' })).toMatchObject({ status: 200 })
  })

  test.each([
    ['Authorization', `Authorization: Bearer ${KEY}\r\nAuthorization: Bearer another\r\n`],
    ['the same Authorization', `Authorization: Bearer ${KEY}\r\nauthorization: Bearer ${KEY}\r\n`],
    ['an empty Authorization', `Authorization: Bearer ${KEY}\r\nAuthorization:\r\n`],
    ['x-api-key', `x-api-key: ${KEY}\r\nX-Api-Key: ${KEY}\r\n`],
  ])('that is sent twice, %s, counts as missing', async (_name, headers) => {
    for (const area of ['video', 'messages', 'responses'] as const) {
      presented = []
      const head = `POST /v1/${area}/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n`
      const [answer] = await sendRaw(edge.port, `${head}${headers}\r\n{}`)
      if (answer === undefined) throw new Error('no answer')
      expectError(answer, area, 401, area === 'messages' ? undefined : 'invalid_api_key')
      expect(presented).not.toContain(KEY)
    }
  })

  test.each([
    undefined,
    '',
    'Bearer',
    `Bearer${KEY}`,
    `Basic ${KEY}`,
    `Bearer ${KEY} more`,
    `Bearer ${KEY}, Bearer ${KEY}`,
    `Bearer\t${KEY}`,
    KEY,
  ])('that is missing or malformed, %s, counts as missing', async (authorization) => {
    for (const area of ['video', 'messages', 'responses'] as const) {
      expectError(await post(area, authorization === undefined ? {} : { authorization }), area, 401)
      expect(presented).toEqual([undefined])
    }
  })

  test('is requested as RFC 9110 says', async () => {
    expect((await post('video', {})).headers['www-authenticate']).toBe('Bearer')
  })

  test('is checked before the body is read', async () => {
    const head = 'POST /v1/video/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 9\r\n'
    const [answer] = await sendRaw(edge.port, `${head}Content-Type: text/plain\r\n\r\n`, '[[[[[[[[[')
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, 'video', 401)
  })

  test('is checked before 100 Continue', async () => {
    const head =
      'POST /v1/video/echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n'
    const answers = await sendRaw(edge.port, head)
    expect(answers.map(({ status }) => status)).toEqual([401])
  })

  test('guards a route under every spelling of its path', async () => {
    for (const path of ['/v1/video/plain/1', '/%76%31/video/plain/1', '/v1/video/plain/%31']) {
      expectError(await readAnswer(await fetch(edge.url + path)), 'video', 401)
    }
  })

  test('that cannot be checked is our failure, not the failure of the client', async () => {
    const refuse = () => {
      throw new ApiError('store_unavailable')
    }
    for (const authenticate of [refuse, async () => refuse()]) {
      const broken = await startEdge({ operations: ECHOES, app: memoryApp({ authenticate }) })
      const answer = await fetch(`${broken.url}/v1/messages/echo`, { method: 'POST', body: '{}' })
      expectError(await readAnswer(answer), 'messages', 503)
      await broken.close()
    }
  })
})
