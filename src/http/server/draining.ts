import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { currentResponse } from './raw-answers.ts'

/**
 * State of a process that stops. `readyz` and every response read it.
 *
 *   serving -> draining (begin) -> ending (end)
 */
export interface DrainState {
  readonly draining: boolean
  /** Aborts when draining begins. */
  readonly leaving: AbortSignal
  /** Aborts when only enough time for a stream's final events is left. */
  readonly ending: AbortSignal
  begin(): void
  end(): void
}

export function createDrainState(): DrainState {
  let draining = false
  const leaving = new AbortController()
  const ending = new AbortController()
  return {
    get draining() {
      return draining
    },
    leaving: leaving.signal,
    ending: ending.signal,
    begin() {
      draining = true
      leaving.abort()
    },
    end() {
      ending.abort()
    },
  }
}

/** Ends a connection after the response that runs when draining begins, even if its head announced keep-alive. */
export function closeBusyConnections(server: Server, drain: DrainState): void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  drain.leaving.addEventListener('abort', () => {
    for (const socket of sockets) {
      const response = currentResponse(socket)
      if (response !== undefined) response.shouldKeepAlive = false
    }
  })
}
