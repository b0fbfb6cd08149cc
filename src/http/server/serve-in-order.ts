import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { currentResponse } from './raw-answers.ts'

export type Serve = (raw: IncomingMessage, response: ServerResponse) => void

/** So many may wait on a connection. More of them end it, because each one takes memory, with a key or without. */
const WAITING_MAX = 100

/**
 * Serves one request of a connection at a time, each in a turn of the event loop of its own. One packet may hold thousands
 * of requests, and Node hands over all of them at once; their answers go out one after the other anyway.
 */
export function serveInOrder(serve: Serve): Serve {
  const waiting = new WeakMap<Socket, number>()

  return (raw, response) => {
    // Node gives a response its socket when the answers before it have ended: for most requests at once.
    if (response.socket !== null) serve(raw, response)
    else wait(raw, response)
  }

  function wait(raw: IncomingMessage, response: ServerResponse): void {
    const { socket } = raw
    if (socket.destroyed) return
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    if (count > WAITING_MAX) {
      socket.destroy()
      return
    }
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      setImmediate(() => {
        if (!response.destroyed) serve(raw, response)
      })
    })
  }
}

/** Calls when every request before on this connection has its answer, and not at all when the connection has ended by then. */
export function afterAnswers(socket: Socket, act: () => void): void {
  const current = currentResponse(socket)
  if (current !== undefined) current.once('close', () => afterAnswers(socket, act))
  else if (socket.writable) act()
  else socket.destroy()
}
