import { expect, test } from 'vitest'
import { memoryDoor, memorySockets } from './memory-door.ts'
import { HOT_PATH } from './two-servers.ts'

const CONNECTIONS = 60
const LINE = `POST ${HOT_PATH} HTTP/1.1\r\nHost: a\r\n`
const CHUNKED = `${LINE}Transfer-Encoding: chunked\r\n\r\n`

/** Requests that any client can send, whose bytes take more time than their number of chunks suggests. */
const COSTLY: readonly { what: string; bytes: string; perTurn: number }[] = [
  { what: 'trailers', bytes: `${CHUNKED}0\r\n${'a:\r\n'.repeat(2_000)}\r\n`, perTurn: 3 },
  {
    what: 'extensions',
    bytes: `${CHUNKED}${`1;${'a=b;'.repeat(250)}a\r\nx\r\n`.repeat(16)}0\r\n\r\n`,
    perTurn: 3,
  },
  {
    what: 'a long head',
    bytes: `${LINE}X: ${'a'.repeat(16_000)}\r\nContent-Length: 2\r\n\r\n{}`,
    perTurn: 9,
  },
]

test.each(COSTLY)('few refused requests with $what are read in a turn', async ({ bytes, perTurn }) => {
  let ended = 0
  const connect = memoryDoor({
    serve(request, reply) {
      reply.isRefused = true
      request.on('data', () => {})
      request.on('end', () => {
        ended += 1
      })
    },
  })
  for (const socket of memorySockets(CONNECTIONS)) connect(socket).arrive(Buffer.from(bytes))
  let most = 0
  for (let before = 0; ended < CONNECTIONS; before = ended) {
    await new Promise(setImmediate)
    most = Math.max(most, ended - before)
  }
  // A turn as the test counts it may overlap two turns of the door.
  expect(most).toBeLessThanOrEqual(2 * perTurn)
})

test("Node's parser takes only as many bytes of paced connections as it can read", async () => {
  const chunk = `40\r\n${'a'.repeat(64)}\r\n`
  const packet = Buffer.from(chunk.repeat(900))
  const packets = 6
  let read = 0
  const connect = memoryDoor({
    serveByNode: (raw) =>
      void raw.on('data', (bytes: Buffer) => {
        read += (bytes.length / 64) * chunk.length
      }),
  })
  const sockets = memorySockets(5)
  const head = 'POST /cold HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
  for (const socket of sockets) {
    connect(socket).arrive(Buffer.from(head))
    for (let sent = 0; sent < packets; sent++) socket.arrive(packet)
  }
  const all = sockets.length * packets * packet.length
  let most = 0
  while (read < all) {
    await new Promise(setImmediate)
    const waiting = sockets.reduce((sum, { readableLength }) => sum + readableLength, 0)
    most = Math.max(most, all - waiting - read)
  }
  expect(most).toBeLessThanOrEqual(sockets.length * 2 * packet.length)
})
