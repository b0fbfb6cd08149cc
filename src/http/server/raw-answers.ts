import { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The answer a socket is busy with. Node keeps it under this name, and looks at it for the same reasons. */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return message instanceof ServerResponse ? message : undefined
}

/** What an operator sees of a request whose client hung up before it was answered. */
export const CLIENT_CLOSED_REQUEST = 499

/** Of requests that were answered past their response: by a WebSocket, or because the rest of them was no HTTP. */
const rawStatuses = new WeakMap<ServerResponse, number>()

export function noteRawStatus(response: ServerResponse, status: number): void {
  rawStatuses.set(response, status)
}

export function rawStatusOf(response: ServerResponse): number | undefined {
  return rawStatuses.get(response)
}
