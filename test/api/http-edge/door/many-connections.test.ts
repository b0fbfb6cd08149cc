import { createServer, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { DoorReply } from '../../../../src/http/door/door-reply.ts'
import { openDoor } from '../../../../src/http/door/open-door.ts'
import { CHUNKS_OF_REQUEST, CHUNKS_PER_TURN } from '../../../../src/http/door/turn-budget.ts'
import type { Operation } from '../../../../src/http/operation.ts'
import { clientErrorAnswerer } from '../../../../src/http/server/client-errors.ts'
import { serveInOrder } from '../../../../src/http/server/serve-in-order.ts'
import { silentMetrics } from '../../../silent-metrics.ts'
import { memoryDoor, memorySockets } from './memory-door.ts'
import { MemorySocket } from './memory-socket.ts'
import { HOT_PATH } from './two-servers.ts'

const PATH = '/hot'
const CONNECTIONS = 600
const LOG = { debug() {}, info() {}, warn() {}, error() {} }
const GET = 'GET /cold HTTP/1.1\r\nHost: a\r\n\r\n'
const PER_TURN = CHUNKS_PER_TURN / CHUNKS_OF_REQUEST

/** A server behind the door with many connections, and counts of their requests and of closed connections. */
function manyConnections({ headersMs = 15_000, checkEveryMs = 5_000, readsBodies = false } = {}) {
  const seen = { parsed: 0, begun: 0, refused: 0, closed: 0 }
  const serve: RequestListener = (request, response) => {
    const answer = () => {
      seen.begun += 1
      response.end()
    }
    if (readsBodies) request.on('end', answer).resume()
    else answer()
  }
  const server = createServer().on('request', serveInOrder(serve))
  server.on('request', () => {
    seen.parsed += 1
  })
  const metrics = silentMetrics({
    requestFinished() {
      seen.refused += 1
    },
  })
  server.on('clientError', clientErrorAnswerer({ newId: () => 'req_1', metrics, log: LOG }))
  const door = openDoor({
    server,
    operations: [{ isHot: true, method: 'POST', path: PATH } as Operation],
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    timeouts: { headersMs, requestMs: 300_000, keepAliveMs: 72_000 },
    checkEveryMs,
    isLeaving: () => false,
    serve() {
      seen.begun += 1
    },
  })
  const sockets = Array.from({ length: CONNECTIONS }, () => new MemorySocket())
  for (const socket of sockets) {
    server.emit('connection', socket as unknown as Socket)
    socket.on('close', () => {
      seen.closed += 1
    })
  }
  return { seen, door, sockets }
}

/** Runs turns until `count` reaches `all`; returns the largest increase in one turn. */
async function largestStep(count: () => number, all = CONNECTIONS): Promise<number> {
  let most = 0
  for (let before = 0; count() < all; before = count()) {
    await new Promise(setImmediate)
    most = Math.max(most, count() - before)
  }
  return most
}

test("many concurrent requests of Node's server begin in several turns, and none is lost", async () => {
  const { seen, sockets } = manyConnections()
  for (const socket of sockets)
    socket.arrive(Buffer.from('PUT /cold HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}'))
  // A turn as the test counts it may overlap two turns of the door.
  expect(await largestStep(() => seen.begun)).toBeLessThanOrEqual(2 * PER_TURN)
})

test('many connections that say nothing, or end in the middle of a head, are refused in several turns', async () => {
  const silent = manyConnections({ headersMs: 1, checkEveryMs: 1 })
  expect(await largestStep(() => silent.seen.refused)).toBeLessThanOrEqual(2 * PER_TURN)
  const cut = manyConnections()
  for (const socket of cut.sockets) socket.arrive(Buffer.from('POST /hot HTTP/1.1\r\nHost:'))
  for (let turn = 0; turn < CONNECTIONS; turn += 1) await new Promise(setImmediate)
  for (const socket of cut.sockets) socket.push(null)
  expect(await largestStep(() => cut.seen.refused)).toBeLessThanOrEqual(2 * PER_TURN)
})

test("many requests in each packet of Node's server are parsed in several turns", async () => {
  const { seen, sockets } = manyConnections()
  const packet = Buffer.from(GET.repeat(50))
  for (const socket of sockets) socket.arrive(packet)
  expect(await largestStep(() => seen.parsed, 50 * CONNECTIONS)).toBeLessThan(1_000)
})

test("line breaks in a body with a length do not slow down Node's parser", async () => {
  const { seen, sockets } = manyConnections({ readsBodies: true })
  const packet = Buffer.alloc(64 * 1024, '\n')
  sockets[0]?.arrive(
    Buffer.from(`PUT /cold HTTP/1.1\r\nHost: a\r\nContent-Length: ${16 * packet.length}\r\n\r\n`),
  )
  for (let sent = 0; sent < 16; sent += 1) sockets[0]?.arrive(packet)
  let turns = 0
  for (; seen.begun === 0; turns += 1) await new Promise(setImmediate)
  // If they counted as chunks, these lines would take two thousand turns.
  expect(turns).toBeLessThan(400)
})

test.each([
  ['the fast door', ''],
  ["Node's server", GET],
])(
  'many idle connections of %s that their clients leave are closed in several turns',
  async (_whose, first) => {
    const { seen, sockets } = manyConnections()
    for (const socket of sockets) socket.arrive(Buffer.from(first))
    for (let turn = 0; turn < CONNECTIONS; turn += 1) await new Promise(setImmediate)
    for (const socket of sockets) socket.leave()
    expect(await largestStep(() => seen.closed)).toBeLessThan(CONNECTIONS)
  },
)

test.each([
  ['reset them', (socket: MemorySocket) => socket.leave()],
  ['end their input', (socket: MemorySocket) => socket.leaveHalf()],
])('many connections whose clients %s within a body are ended in several turns', async (_how, leave) => {
  const { seen, sockets } = manyConnections()
  for (const socket of sockets)
    socket.arrive(Buffer.from('POST /hot HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{'))
  expect(await largestStep(() => seen.begun)).toBeLessThanOrEqual(2 * PER_TURN)
  for (const socket of sockets) leave(socket)
  let most = 0
  for (let before = 0; before < CONNECTIONS; ) {
    await new Promise(setImmediate)
    const left = sockets.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length
    most = Math.max(most, left - before)
    before = left
  }
  expect(most).toBeLessThanOrEqual(2 * PER_TURN)
  await largestStep(() => seen.closed)
})

test('nothing is written to connections that their clients have reset', async () => {
  const replies: DoorReply[] = []
  const connect = memoryDoor({ serve: (_request, reply) => void replies.push(reply) })
  const sockets = memorySockets(CONNECTIONS).map(connect)
  for (const socket of sockets)
    socket.arrive(Buffer.from(`POST ${HOT_PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`))
  await largestStep(() => replies.length)
  for (const socket of sockets) socket.leave()
  for (const reply of replies) {
    reply.writeHead(200, {})
    reply.write('an event')
  }
  await largestStep(() => sockets.filter(({ destroyed }) => destroyed).length)
  expect(sockets.filter(({ written }) => written !== '')).toHaveLength(0)
})

test('a client that ends its input while thousands do still gets what was written before', async () => {
  const replies: DoorReply[] = []
  const connect = memoryDoor({ serve: (_request, reply) => void replies.push(reply) })
  const sockets = memorySockets(CONNECTIONS).map(connect)
  for (const socket of sockets)
    socket.arrive(Buffer.from(`POST ${HOT_PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`))
  await largestStep(() => replies.length)
  for (const socket of sockets.slice(1)) socket.leaveHalf()
  sockets[0]?.leaveHalf()
  replies[0]?.writeHead(200, { 'content-length': 2 })
  replies[0]?.end('ok')
  await expect.poll(() => sockets[0]?.written).toMatch(/ok$/)
  await expect.poll(() => sockets[0]?.destroyed).toBe(true)
})

test.each([
  ['in the middle of a head', '', 'GET /cold HTTP/1.1\r\nHost:', 1],
  ['in the middle of a second head', GET, 'GET /cold', 1],
  ['in the middle of a head behind a request', `${GET}GET /cold`, '', 1],
  ['behind a request', GET, '', 0],
  ['behind an empty line', GET, '\r\n', 0],
])(
  'of a client that leaves %s, Node alone decides whether it is refused',
  async (_where, first, later, refused) => {
    const { seen, sockets } = manyConnections()
    const [socket] = sockets
    if (first !== '') {
      socket?.arrive(Buffer.from(first))
      await expect.poll(() => socket?.written).toMatch(/^HTTP\/1.1 200/)
    }
    socket?.arrive(Buffer.from(later))
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    socket?.leave()
    await expect.poll(() => socket?.destroyed).toBe(true)
    expect(seen.refused).toBe(refused)
    expect(socket?.written.includes('HTTP/1.1 400')).toBe(refused === 1)
  },
)
