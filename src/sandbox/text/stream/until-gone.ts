import { once } from 'node:events'

/** Stays silent until the client has had enough. */
export async function untilGone(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}
