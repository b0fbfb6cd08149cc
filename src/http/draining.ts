import type { FastifyInstance } from 'fastify'

/** Whether this process is on its way out; `readyz` and every answer look at it. */
export interface DrainState {
  readonly draining: boolean
  /** Aborts when the time left is only enough for a stream's last words. */
  readonly ending: AbortSignal
  begin(): void
  end(): void
}

export function createDrainState(): DrainState {
  let draining = false
  const ending = new AbortController()
  return {
    get draining() {
      return draining
    },
    ending: ending.signal,
    begin() {
      draining = true
    },
    end() {
      ending.abort()
    },
  }
}

/** Sends clients elsewhere: an answer given while draining is the last one on its connection. */
export function closeWhileDraining(server: FastifyInstance, drain: DrainState): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    // Bytes that were sent along behind an upgrade request are lost to the parser, so its connection ends as well.
    if (drain.draining || request.raw.headers.upgrade !== undefined) reply.header('connection', 'close')
    done(null, payload)
  })
}
