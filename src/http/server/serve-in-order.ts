import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { TurnBudget } from '../door/turn-budget.ts'
import { currentResponse } from './raw-answers.ts'

export type Serve = (raw: IncomingMessage, response: ServerResponse) => void

/** Limit of waiting requests on a connection. One more ends the connection, because each takes memory. */
const WAITING_MAX = 100

/**
 * Serves one request of a connection at a time, each in its own turn of the event loop. Only a few requests of all
 * connections begin in one turn. Node delivers all requests of a packet in one turn, perhaps thousands, but their
 * responses are sent one after the other anyway.
 */
export function serveInOrder(serve: Serve): Serve {
  const waiting = new WeakMap<Socket, number>()
  const budget = new TurnBudget()

  return (raw, response) => {
    // Node gives a response its socket once the earlier responses have ended. Most requests have none before them.
    if (response.socket !== null) begin(raw, response)
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
      setImmediate(() => begin(raw, response))
    })
  }

  function begin(raw: IncomingMessage, response: ServerResponse): void {
    budget.begin(() => {
      if (!response.destroyed) serve(raw, response)
    })
  }
}

/** Calls `act` when every earlier request on this connection is answered, and never when the connection has ended. */
export function afterAnswers(socket: Socket, act: () => void): void {
  const current = currentResponse(socket)
  if (current !== undefined) current.once('close', () => afterAnswers(socket, act))
  else if (socket.writable) act()
  else socket.destroy()
}
