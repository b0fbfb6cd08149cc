/** Waits of one length, as cheap as waits can be: one listener for a whole stream. */
export function createPacer(ms: number, signal: AbortSignal): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let leave: ((reason: unknown) => void) | undefined
  const stop = () => {
    clearTimeout(timer)
    leave?.(signal.reason)
  }
  signal.addEventListener('abort', stop, { once: true })
  return async () => {
    signal.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      leave = reject
      if (ms === 0) setImmediate(resolve)
      else timer = setTimeout(resolve, ms)
    })
  }
}
