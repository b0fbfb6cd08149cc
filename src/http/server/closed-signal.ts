import type { EdgeReply } from '../edge-reply.ts'

/** Aborted when the connection of a client is done: after its answer, or when the client has left before it. */
export function closedSignal({ raw }: EdgeReply): AbortSignal {
  const closing = new AbortController()
  if (raw.destroyed) closing.abort()
  else raw.once('close', () => closing.abort())
  return closing.signal
}
