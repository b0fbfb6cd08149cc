import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openDoor } from '../../../../src/http/door/open-door.ts'
import { CHUNKS_PER_TURN } from '../../../../src/http/door/turn-budget.ts'
import type { Operation } from '../../../../src/http/operation.ts'
import { MemorySocket } from './memory-socket.ts'

const PATH = '/hot'
const CONNECTIONS = 50
const CHUNKS_EACH = 10_000

test('chunks of one byte on many connections take a bounded part of each turn, and few events', async () => {
  const server = createServer()
  let bytes = 0
  let events = 0
  let ended = 0
  openDoor({
    server,
    operations: [{ isHot: true, method: 'POST', path: PATH } as Operation],
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    timeouts: { headersMs: 15_000, requestMs: 300_000, keepAliveMs: 72_000 },
    checkEveryMs: 5_000,
    isLeaving: () => false,
    serve(raw) {
      raw.on('data', (chunk: Buffer) => {
        events += 1
        bytes += chunk.length
      })
      raw.on('end', () => {
        ended += 1
      })
    },
  })
  const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`
  const body = Buffer.from('1\r\na\r\n'.repeat(CHUNKS_EACH))
  const sockets = Array.from({ length: CONNECTIONS }, () => new MemorySocket())
  for (const socket of sockets) server.emit('connection', socket as unknown as Socket)
  for (const socket of sockets) socket.arrive(Buffer.from(head))
  await new Promise(setImmediate)
  // All packets arrive in one turn.
  for (const socket of sockets) socket.arrive(body)
  for (const socket of sockets) socket.arrive(Buffer.from('0\r\n\r\n'))
  let most = 0
  let turns = 0
  for (let before = 0; ended < CONNECTIONS; before = bytes) {
    await new Promise(setImmediate)
    most = Math.max(most, bytes - before)
    turns += 1
  }
  expect(bytes).toBe(CONNECTIONS * CHUNKS_EACH)
  // A turn as the test counts it may overlap two turns of the door.
  expect(most).toBeLessThanOrEqual(2 * CHUNKS_PER_TURN)
  expect(turns).toBeGreaterThanOrEqual((CONNECTIONS * CHUNKS_EACH) / (2 * CHUNKS_PER_TURN))
  expect(events).toBeLessThan(4 * CONNECTIONS)
})
