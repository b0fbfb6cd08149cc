import { once } from 'node:events'

/** Makes waits of one length, which share one abort listener. */
export function createPacer(ms: number, signal: AbortSignal): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let isGone = signal.aborted
  let leave: ((reason: unknown) => void) | undefined
  const stop = () => {
    isGone = true
    clearTimeout(timer)
    leave?.(signal.reason)
  }
  const begin = (resolve: () => void, reject: (reason: unknown) => void) => {
    leave = reject
    if (isGone) reject(signal.reason)
    else if (ms === 0) setImmediate(resolve)
    else timer = setTimeout(resolve, ms)
  }
  signal.addEventListener('abort', stop, { once: true })
  return () => new Promise<void>(begin)
}

/** Stays silent until the client has left. */
export async function untilGone(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}
