import type { EdgeReply } from '../edge-reply.ts'

/** Aborts when a response is over: all of it was sent, or its client has left before. */
export function closedSignal({ raw }: EdgeReply): AbortSignal {
  const closing = new AbortController()
  if (raw.destroyed) closing.abort()
  else raw.once('close', () => closing.abort())
  return closing.signal
}
