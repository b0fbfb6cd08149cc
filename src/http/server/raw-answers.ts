import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The answer a socket is busy with. Node keeps it under this name, and looks at it for the same reasons. */
export function currentResponse(socket: Socket): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return message instanceof ServerResponse ? message : undefined
}

/** A plain answer to a request that the parser took for an upgrade. It is the last one on its connection. */
export function responseOn(socket: Socket, raw: IncomingMessage): ServerResponse {
  const response = new ServerResponse(raw)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on('finish', () => endLater(socket))
  return response
}

const LINGER_MS = 1_000

/** Waits before it closes: a socket that is closed over unread bytes is reset, and a reset can overtake the answer. */
export function endLater(socket: Duplex, lastBytes?: string): void {
  socket.end(lastBytes)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** The status that operators see for a request whose client hung up before it was answered. */
export const CLIENT_CLOSED_REQUEST = 499

/** The statuses of requests that were answered without their response: by a WebSocket, or because the rest of them was no HTTP. */
const rawStatuses = new WeakMap<ServerResponse, number>()

export function noteRawStatus(response: ServerResponse, status: number): void {
  rawStatuses.set(response, status)
}

export function rawStatusOf(response: ServerResponse): number | undefined {
  return rawStatuses.get(response)
}
