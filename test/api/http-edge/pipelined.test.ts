import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Operation } from '../../../src/http/operation.ts'
import { KEY, memoryApp } from './memory-app.ts'
import { openRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

const HOST = 'Host: x\r\n'
const SLOW = `GET /slow HTTP/1.1\r\n${HOST}\r\n`
const QUICK = `GET /quick HTTP/1.1\r\n${HOST}\r\n`
/** A request with so many lines that a hundred such requests are parsed in several turns. */
const LONG = `GET /quick HTTP/1.1\r\n${HOST}${'a:1\r\n'.repeat(12)}\r\n`
const LARGE = `GET /large HTTP/1.1\r\n${HOST}X: transfer-encoding\r\n\r\n`
const LAST = `GET /quick HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`
const UPGRADE = `GET /v1/responses HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`

/** A text frame without content, under a mask of zeros. */
const EMPTY_EVENT = Buffer.from([0x81, 0x80, 0, 0, 0, 0])

/** Counts calls; `most` is the largest number of calls in one turn of the event loop. */
function turnMeter() {
  const meter = {
    all: 0,
    most: 0,
    inTurn: 0,
    count() {
      meter.all += 1
      meter.inTurn += 1
      meter.most = Math.max(meter.most, meter.inTurn)
      setImmediate(() => {
        meter.inTurn = 0
      })
    },
  }
  return meter
}

describe('pipelined requests', () => {
  let edge: Edge
  let letGo = Promise.withResolvers<void>()
  let meter = turnMeter()
  const operation = (id: string, handle: () => Promise<string>): Operation => ({
    ...{ id, method: 'GET', path: `/${id}`, area: 'video', access: 'open', summary: id, replies: {} },
    handle: () => () => {
      meter.count()
      return handle()
    },
  })
  const operations = [
    operation('slow', () => letGo.promise.then(() => 'slow')),
    operation('quick', async () => 'quick'),
    operation('large', async () => 'x'.repeat(16 * 1024 * 1024)),
  ]
  beforeEach(async () => {
    letGo = Promise.withResolvers()
    meter = turnMeter()
    edge = await startEdge({ operations })
  })
  afterEach(() => edge.close())

  test('are served one after the other, in their order', async () => {
    const connection = openRaw(edge.port)
    connection.write(SLOW + QUICK + LAST)
    await expect.poll(() => meter.all).toBe(1)
    const other = openRaw(edge.port)
    other.write(LAST)
    await other.answers()
    expect(meter.all).toBe(2)
    letGo.resolve()
    const answers = await connection.answers()
    expect(answers.map(({ body }) => body)).toEqual(['slow', 'quick', 'quick'])
  })

  test('are served one in each turn of the event loop, even when a packet holds many', async () => {
    const connection = openRaw(edge.port)
    connection.write(QUICK.repeat(99) + LAST)
    expect(await connection.answers()).toHaveLength(100)
    expect(meter).toMatchObject({ all: 100, most: 1 })
  })

  test('end their connection when more than a hundred wait, unserved', async () => {
    const connection = openRaw(edge.port)
    connection.write(SLOW + QUICK.repeat(1_000))
    expect(await connection.answers()).toEqual([])
    letGo.resolve()
    await new Promise(setImmediate)
    expect(meter.all).toBe(1)
  })

  test('wait while their client reads no answer, and none is lost', async () => {
    const behindDoor = await startEdge({ operations, fastDoor: true })
    onTestFinished(() => behindDoor.close())
    const connection = openRaw(behindDoor.port)
    connection.socket.pause()
    connection.write(LARGE + LONG.repeat(90) + LAST)
    const other = openRaw(behindDoor.port)
    other.write(LAST)
    await other.answers()
    connection.socket.resume()
    expect(await connection.answers()).toHaveLength(92)
  })

  test('405: a request for a tunnel is answered in order', async () => {
    const connection = openRaw(edge.port)
    connection.write(`${SLOW}CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`)
    await expect.poll(() => meter.all).toBe(1)
    letGo.resolve()
    const answers = await connection.answers()
    expect(answers.map(({ status }) => status)).toEqual([200, 405])
  })
})

describe('a WebSocket', () => {
  test('401: the refusal of an upgrade follows the answers to earlier requests', async () => {
    const edge = await startEdge()
    onTestFinished(() => edge.close())
    const connection = openRaw(edge.port)
    connection.write(`GET /healthz HTTP/1.1\r\n${HOST}\r\n${UPGRADE}`)
    const answers = await connection.answers()
    expect(answers.map(({ status }) => status)).toEqual([200, 401])
  })

  test('takes one of its events in each turn of the event loop, even when a packet holds many', async () => {
    const app = memoryApp()
    const meter = turnMeter()
    const authenticate: typeof app.authenticate = (key) => {
      meter.count()
      return app.authenticate(key)
    }
    const edge = await startEdge({ app: { ...app, authenticate } })
    onTestFinished(() => edge.close())
    const connection = openRaw(edge.port)
    onTestFinished(() => void connection.socket.destroy())
    connection.write(UPGRADE.replace('\r\n\r\n', `\r\nAuthorization: Bearer ${KEY}\r\n\r\n`))
    await connection.sees('101 Switching Protocols')
    connection.write(Buffer.concat(new Array(500).fill(EMPTY_EVENT)))
    await expect.poll(() => meter.all).toBe(1 + 500)
    expect(meter.most).toBe(1)
  })
})
