import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { DoorParts } from '../../../../src/http/door/door-connection.ts'
import { openDoor } from '../../../../src/http/door/open-door.ts'
import type { Operation } from '../../../../src/http/operation.ts'
import { MemorySocket } from './memory-socket.ts'

const PATH = '/hot'
const CONNECTIONS = 500

interface Row {
  what: string
  /** Requests that begin in one turn. */
  perTurn: number
  serve: DoorParts['serve']
}

const ROWS: readonly Row[] = [
  { what: 'requests', perTurn: 32, serve() {} },
  {
    what: 'requests that are answered immediately',
    perTurn: 32,
    serve(_request, reply) {
      reply.writeHead(200, { 'content-length': 0 })
      reply.end()
    },
  },
  {
    what: 'refusals',
    perTurn: 256,
    serve(_request, reply) {
      reply.writeHead(503, { 'content-length': 0 })
      reply.end()
    },
  },
  {
    what: 'refusals of bodies that arrive',
    perTurn: 256,
    serve(_request, reply) {
      reply.isRefused = true
    },
  },
]

for (const { what, perTurn, serve } of ROWS)
  test(`of many simultaneous ${what} ${perTurn} begin in a turn, and none is lost when idle connections are closed`, async () => {
    const server = createServer()
    let begun = 0
    const door = openDoor({
      server,
      operations: [{ isHot: true, method: 'POST', path: PATH } as Operation],
      clock: { nowMs: () => 0, monotonicMs: () => 0 },
      timeouts: { headersMs: 15_000, requestMs: 300_000, keepAliveMs: 72_000 },
      checkEveryMs: 5_000,
      isLeaving: () => false,
      serve(request, reply) {
        begun += 1
        serve(request, reply)
      },
    })
    const sockets = Array.from({ length: CONNECTIONS }, () => new MemorySocket())
    for (const socket of sockets) {
      server.emit('connection', socket as unknown as Socket)
      socket.arrive(Buffer.from(`POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`))
    }
    // This immediate is set before those of the door, so it runs before the next turn of the door.
    await new Promise(setImmediate)
    expect(begun).toBe(perTurn)
    let most = 0
    for (let before = begun; begun < CONNECTIONS; before = begun) {
      await new Promise(setImmediate)
      most = Math.max(most, begun - before)
      door.closeIdle()
    }
    // A turn as the test counts it may overlap two turns of the door.
    expect(most).toBeLessThanOrEqual(2 * perTurn)
  })
