import { describe, expect, onTestFinished, test } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { CALLER } from '../../caller.ts'
import { expectError } from './answer.ts'
import { ECHOES } from './echo-operations.ts'
import { memoryApp } from './memory-app.ts'
import { openRaw, sendRaw } from './raw-connection.ts'
import { startEdge } from './start-edge.ts'

const KIBIBYTE = 1024
const SIZE_BYTES = 80 * KIBIBYTE
const BODY = `"${'a'.repeat(SIZE_BYTES - 2)}"`

/** Each key is an organization of its own. */
const authenticate: App['authenticate'] = async (key) => ({ ...CALLER, organizationId: `org_${key}` })

async function start(limits: Parameters<typeof startEdge>[0] = {}) {
  const app = memoryApp({ authenticate, isNoticeToken: (token) => token === 'good' })
  const edge = await startEdge({ operations: [...OPERATIONS, ...ECHOES], app, ...limits })
  onTestFinished(() => edge.close())
  return edge
}

function head(key: string, more: string): string {
  return `POST /v1/messages/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`
}

const ANNOUNCED = `Content-Length: ${SIZE_BYTES}\r\n`
const LAST = `Connection: close\r\n${ANNOUNCED}`

describe('bytes of bodies', () => {
  test('beyond the share of an organization are refused with 429 before they are sent; other organizations are served', async () => {
    const edge = await start({ limits: { bodyBytesEachMax: 100 * KIBIBYTE } })
    const holding = openRaw(edge.port)
    holding.write(head('a', ANNOUNCED))
    await expect.poll(() => edge.bodyBytes()).toBe(SIZE_BYTES)

    const [refused] = await sendRaw(edge.port, head('a', `${LAST}Expect: 100-continue\r\n`))
    if (refused === undefined) throw new Error('no answer')
    expectError(refused, 'messages', 429)
    expect((await sendRaw(edge.port, head('b', LAST), BODY)).map(({ status }) => status)).toEqual([200])
    await expect.poll(() => edge.bodyBytes()).toBe(SIZE_BYTES)

    holding.socket.destroy()
    await expect.poll(() => edge.bodyBytes()).toBe(0)
    expect((await sendRaw(edge.port, head('a', LAST), BODY)).map(({ status }) => status)).toEqual([200])
  })

  test('beyond the limit of the process are refused with 503 before they are sent', async () => {
    const edge = await start({ limits: { bodyBytesMax: 200 * KIBIBYTE } })
    const holding = ['a', 'b'].map((key) => {
      const connection = openRaw(edge.port)
      connection.write(head(key, ANNOUNCED))
      return connection
    })
    await expect.poll(() => edge.bodyBytes()).toBe(2 * SIZE_BYTES)
    const [refused] = await sendRaw(edge.port, head('c', `${LAST}Expect: 100-continue\r\n`))
    if (refused === undefined) throw new Error('no answer')
    expectError(refused, 'messages', 503)
    for (const { socket } of holding) socket.destroy()
    await expect.poll(() => edge.bodyBytes()).toBe(0)
  })

  test('without an announced length count as they arrive', async () => {
    const edge = await start({ limits: { bodyBytesEachMax: 100 * KIBIBYTE } })
    const holding = openRaw(edge.port)
    holding.write(head('a', ANNOUNCED))
    await expect.poll(() => edge.bodyBytes()).toBe(SIZE_BYTES)
    const chunk = `${(16 * KIBIBYTE).toString(16)}\r\n${'a'.repeat(16 * KIBIBYTE)}\r\n`
    const sent = `${head('a', 'Connection: close\r\nTransfer-Encoding: chunked\r\n')}${chunk.repeat(5)}0\r\n\r\n`
    const [refused] = await sendRaw(edge.port, sent)
    if (refused === undefined) throw new Error('no answer')
    expectError(refused, 'messages', 429)
    await expect.poll(() => edge.bodyBytes()).toBe(SIZE_BYTES)
    holding.socket.destroy()
  })

  test('tiny pieces count as 16 KiB each, and their connection is cut after the answer', async () => {
    const edge = await start({ limits: { bodyBytesEachMax: 100 * KIBIBYTE } })
    const chunked = head('a', 'Connection: close\r\nTransfer-Encoding: chunked\r\n')
    const few = `${chunked}${'1\r\n1\r\n'.repeat(6)}0\r\n\r\n`
    expect((await sendRaw(edge.port, few)).map(({ status }) => status)).toEqual([200])
    const many = openRaw(edge.port)
    many.write(`${chunked}${'1\r\n1\r\n'.repeat(3)}`)
    await expect.poll(() => edge.bodyBytes()).toBe(3 * 16 * KIBIBYTE)
    many.write('1\r\n1\r\n'.repeat(200))
    const [refused] = await many.answers()
    if (refused === undefined) throw new Error('no answer')
    expectError(refused, 'messages', 429)
    await expect.poll(() => edge.bodyBytes()).toBe(0)
  })

  test('refused after a 100 Continue are cut like all others', async () => {
    const edge = await start({ limits: { bodyBytesEachMax: 100 * KIBIBYTE } })
    const many = openRaw(edge.port)
    many.write(head('a', 'Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n'))
    await many.sees('100 Continue\r\n\r\n')
    many.write('1\r\n1\r\n'.repeat(7))
    await many.sees('HTTP/1.1 429')
    many.write('1\r\n1\r\n'.repeat(40))
    await many.answers()
    await expect.poll(() => edge.bodyBytes()).toBe(0)
  }, 4_000)

  test('count in full when a tiny piece arrives with them', async () => {
    const edge = await start()
    const many = openRaw(edge.port)
    const long = `${SIZE_BYTES.toString(16)}\r\n${BODY}\r\n`
    many.write(`${head('a', 'Transfer-Encoding: chunked\r\n')}1\r\n \r\n${long}`)
    await expect.poll(() => edge.bodyBytes()).toBeGreaterThan(SIZE_BYTES)
    many.socket.destroy()
    await expect.poll(() => edge.bodyBytes()).toBe(0)
  })

  test('in pieces of any length are joined in order', async () => {
    const edge = await start()
    const text = JSON.stringify('äöü '.repeat(30_000))
    const bytes = Buffer.from(text)
    const cuts = [1, 2, 3, 70, 5_000, 5_001, 90_000, bytes.length]
    const chunks = cuts.map((end, at) => bytes.subarray(cuts[at - 1] ?? 0, end))
    const sent = chunks.map((chunk) =>
      Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
    )
    const request = head('a', 'Connection: close\r\nTransfer-Encoding: chunked\r\n')
    const whole = Buffer.concat([Buffer.from(request), ...sent, Buffer.from('0\r\n\r\n')])
    const [answer] = await sendRaw(edge.port, whole)
    expect(answer?.status).toBe(200)
    expect(answer?.body).toContain(text.slice(1, -1))
  })

  test('of every answered request are released', async () => {
    const edge = await start()
    const chunked = `${head('a', 'Transfer-Encoding: chunked\r\n')}${SIZE_BYTES.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`
    const bad = `${head('a', ANNOUNCED)}${'['.repeat(SIZE_BYTES)}`
    const answers = await sendRaw(edge.port, head('a', ANNOUNCED), BODY, chunked, bad, head('a', LAST), BODY)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 200])
    await expect.poll(() => edge.bodyBytes()).toBe(0)
  })

  test('that arrive too slowly are 408, and no others', async () => {
    const edge = await start()
    const slow = openRaw(edge.port)
    slow.write(`${head('a', ANNOUNCED)}"`)
    const quick = openRaw(edge.port)
    quick.write(`${head('b', LAST)}${BODY.slice(0, SIZE_BYTES / 2)}`)
    await expect.poll(() => edge.bodyBytes()).toBe(2 * SIZE_BYTES)
    // After ten seconds of grace, a body must arrive with a kibibyte a second; the first one has not.
    edge.advance(20_000)
    const [answer] = await slow.answers()
    if (answer === undefined) throw new Error('no answer')
    expectError(answer, 'messages', 408)
    expect(answer.headers.connection).toBe('close')
    quick.write(BODY.slice(SIZE_BYTES / 2))
    expect((await quick.answers()).map(({ status }) => status)).toEqual([200])
    await expect.poll(() => edge.bodyBytes()).toBe(0)
  })

  test('for a notice with a wrong token are dropped, with the usual answer', async () => {
    const edge = await start()
    const notice = (token: string, more = '') =>
      `POST /v1/video/result?token=${token} HTTP/1.1\r\nHost: x\r\n${more}${ANNOUNCED}\r\n`
    const wrong = openRaw(edge.port)
    wrong.write(`${notice('wrong', 'Connection: close\r\n')}${BODY.slice(0, 100)}`)
    const good = openRaw(edge.port)
    good.write(`${notice('good', 'Connection: close\r\n')}${BODY.slice(0, 100)}`)
    // Only the bytes of the good notice are held.
    await expect.poll(() => edge.bodyBytes()).toBe(SIZE_BYTES)
    for (const connection of [wrong, good]) connection.write(BODY.slice(100))
    const [first] = await wrong.answers()
    const [second] = await good.answers()
    expect(first).toMatchObject({ status: 200, body: '{}' })
    const { 'x-request-id': _one, date: _then, ...firstHeaders } = first?.headers ?? {}
    const { 'x-request-id': _other, date: _now, ...secondHeaders } = second?.headers ?? {}
    expect(firstHeaders).toEqual(secondHeaders)
    await expect.poll(() => edge.bodyBytes()).toBe(0)
  })
})
