import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createBodyTurns } from '../../../src/app/waiting/body-turns.ts'
import { CALLER } from '../../caller.ts'
import { KEY } from './memory-app.ts'
import { type Edge, startEdge } from './start-edge.ts'

const PING = 0x89
const PONG = 0x8a
const CLOSE = 0x88
const HANDSHAKE = `GET /v1/responses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`

/** A client's control frame, with a mask of zeros. */
function control(first: number, content: string): Buffer {
  return Buffer.concat([Buffer.from([first, 0x80 | content.length, 0, 0, 0, 0]), Buffer.from(content)])
}

const pings = (...contents: string[]) => Buffer.concat(contents.map((content) => control(PING, content)))
const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at))

interface RawSocket {
  socket: Socket
  /** Contents of the frames with this first byte so far. */
  contents(first: number): string[]
}

/** A WebSocket without a library, which sends no more and no less than the test writes. */
async function openRawSocket(edge: Edge): Promise<RawSocket> {
  const socket = connect(edge.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let received = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, Buffer.from(bytes)])
  })
  socket.write(HANDSHAKE)
  await expect.poll(() => received.includes('\r\n\r\n')).toBe(true)
  const begin = received.indexOf('\r\n\r\n') + 4
  function contents(first: number): string[] {
    const found: string[] = []
    for (let at = begin; at + 1 < received.length; ) {
      const end = at + 2 + (received[at + 1] ?? 0)
      if (received[at] === first) found.push(received.subarray(at + 2, end).toString('latin1'))
      at = end
    }
    return found
  }
  return { socket, contents }
}

async function edgeOf(parts: Parameters<typeof startEdge>[0] = {}): Promise<Edge> {
  const edge = await startEdge(parts)
  onTestFinished(() => edge.close())
  return edge
}

test('the first ping is answered immediately, and of those in the next second only the latest', async () => {
  const { socket, contents } = await openRawSocket(await edgeOf())
  socket.write(pings(...numbers(20)))
  await expect.poll(() => contents(PONG)).toEqual(['0'])
  await expect.poll(() => contents(PONG), { timeout: 3_000 }).toEqual(['0', '19'])
  await sleep(1_100)
  expect(contents(PONG)).toEqual(['0', '19'])
  socket.write(pings('late'))
  await expect.poll(() => contents(PONG)).toEqual(['0', '19', 'late'])
})

test.each([
  ['pings', PING],
  ['pongs', PONG],
])('1008: more than 256 %s between two ticks', async (_what, first) => {
  const edge = await edgeOf({ sockets: { tickMs: 400, idleMs: 60_000 } })
  const client = await openRawSocket(edge)
  for (let round = 0; round < 3; round += 1) {
    client.socket.write(Buffer.concat(numbers(256).map((content) => control(first, content))))
    const ticks = client.contents(PING).length
    await expect.poll(() => client.contents(PING).length).toBeGreaterThanOrEqual(ticks + 2)
  }
  expect(client.contents(CLOSE)).toEqual([])
  const flood = await openRawSocket(edge)
  flood.socket.write(Buffer.concat(numbers(10_000).map((content) => control(first, content))))
  await expect.poll(() => flood.contents(CLOSE)).toEqual([String.fromCharCode(1008 >> 8, 1008 & 0xff)])
  expect(flood.contents(PONG)).toEqual([])
})

test('the time of control frames is booked to the organization of their connection', async () => {
  const begun: string[] = []
  const { book } = createBodyTurns({ monotonicMs: () => 0 })
  const turns = {
    ...{ book: { ...book, begin: (holder: string) => void begun.push(holder) } },
    ...{ waitMsOf: () => 0, take: (_holder: string, run: () => unknown) => void run() },
  }
  const { socket, contents } = await openRawSocket(await edgeOf({ turns }))
  begun.length = 0
  socket.write(pings('a', 'b', 'c'))
  await expect.poll(() => contents(PONG)).toEqual(['a'])
  await expect.poll(() => begun).toEqual(Array(3).fill(CALLER.organizationId))
})
