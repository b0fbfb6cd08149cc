import type { EdgeReply } from '../edge-reply.ts'

/** Aborts when the connection of a client is done: after its response, or when the client has left before it. */
export function closedSignal({ raw }: EdgeReply): AbortSignal {
  const closing = new AbortController()
  if (raw.destroyed) closing.abort()
  else raw.once('close', () => closing.abort())
  return closing.signal
}
