import { createServer, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { DoorParts } from '../../../../src/http/door/door-connection.ts'
import { openDoor } from '../../../../src/http/door/open-door.ts'
import type { Operation } from '../../../../src/http/operation.ts'
import { MemorySocket } from './memory-socket.ts'
import { HOT_PATH } from './two-servers.ts'

/** A door that never ends a connection by itself. Returns a function that connects a socket to it. */
export function memoryDoor({
  serve = () => {},
  serveByNode = () => {},
}: {
  serve?: DoorParts['serve']
  serveByNode?: RequestListener
}): <S extends MemorySocket>(socket: S) => S {
  const server = createServer(serveByNode)
  openDoor({
    server,
    operations: [{ isHot: true, method: 'POST', path: HOT_PATH } as Operation],
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    timeouts: { headersMs: 15_000, requestMs: 300_000, keepAliveMs: 72_000 },
    checkEveryMs: 5_000,
    isLeaving: () => false,
    serve,
  })
  return (socket) => {
    server.emit('connection', socket as unknown as Socket)
    return socket
  }
}

/** Many connections without a network. */
export function memorySockets(count: number): MemorySocket[] {
  return Array.from({ length: count }, () => new MemorySocket())
}
