import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { currentResponse } from './raw-answers.ts'

/**
 * Says whether this process is stopping; `readyz` and every answer look at it.
 *
 *   serving -> draining (begin) -> ending (end)
 */
export interface DrainState {
  readonly draining: boolean
  /** Aborts when draining begins. */
  readonly leaving: AbortSignal
  /** Aborts when the time left is only enough to tell streams that they end. */
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

/**
 * Answers given while draining say `Connection: close`; this sees to those whose request came before.
 * Connections are remembered rather than answers, since they are far fewer.
 */
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
