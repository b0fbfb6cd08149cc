import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { DoorReply } from '../door/door-reply.ts'
import type { RawReply } from '../raw.ts'

/** Current response of a socket. Node and the fast door keep it in `_httpMessage`. */
export function currentResponse(socket: Socket): RawReply | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return message instanceof ServerResponse || message instanceof DoorReply ? message : undefined
}

/** Plain response to a request that the parser took for an upgrade, the last one on its connection. */
export function responseOn(socket: Socket, raw: IncomingMessage): ServerResponse {
  const response = new ServerResponse(raw)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on('finish', () => endLater(socket))
  return response
}

const LINGER_MS = 1_000

/** Closes later: closing a socket with unread bytes resets it, and the client may lose the response. */
export function endLater(socket: Duplex, lastBytes?: string): void {
  socket.end(lastBytes)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** Status in logs for a request whose client hung up before the response. */
export const CLIENT_CLOSED_REQUEST = 499

/** Statuses of requests whose response was never written: a WebSocket took the socket, or the rest was not HTTP. */
const rawStatuses = new WeakMap<RawReply, number>()

export function noteRawStatus(response: RawReply, status: number): void {
  rawStatuses.set(response, status)
}

export function rawStatusOf(response: RawReply): number | undefined {
  return rawStatuses.get(response)
}
