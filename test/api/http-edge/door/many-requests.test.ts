import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openDoor } from '../../../../src/http/door/open-door.ts'
import { CHUNKS_OF_REQUEST, CHUNKS_PER_TURN } from '../../../../src/http/door/turn-budget.ts'
import type { Operation } from '../../../../src/http/operation.ts'
import { MemorySocket } from './memory-socket.ts'

const PATH = '/hot'
const CONNECTIONS = 500
const PER_TURN = CHUNKS_PER_TURN / CHUNKS_OF_REQUEST

test('many requests at once begin in several turns, and none is lost when idle connections are closed', async () => {
  const server = createServer()
  let begun = 0
  const door = openDoor({
    server,
    operations: [{ isHot: true, path: PATH } as Operation],
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    timeouts: { headersMs: 15_000, requestMs: 300_000, keepAliveMs: 72_000 },
    checkEveryMs: 5_000,
    isLeaving: () => false,
    serve() {
      begun += 1
    },
  })
  const sockets = Array.from({ length: CONNECTIONS }, () => new MemorySocket())
  for (const socket of sockets) {
    server.emit('connection', socket as unknown as Socket)
    socket.arrive(Buffer.from(`POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`))
  }
  let most = 0
  for (let before = 0; begun < CONNECTIONS; before = begun) {
    await new Promise(setImmediate)
    most = Math.max(most, begun - before)
    door.closeIdle()
  }
  // A turn that is watched from here can have a part of two turns of the door.
  expect(most).toBeLessThanOrEqual(2 * PER_TURN)
  expect(PER_TURN).toBe(32)
})
