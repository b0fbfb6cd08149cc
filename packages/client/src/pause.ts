/** Waits; ends with the reason of the signal when that comes first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

export interface WaitOptions<Row> {
  signal?: AbortSignal
  /** Called with what every look shows. */
  onProgress?(row: Row): void
  /** The first pause and the longest one; each is half as long again as the one before it. */
  firstPauseMs?: number
  pauseMsMax?: number
}

/** Asks again, in growing pauses, until `isEnd` is true. */
export async function waitFor<Row>(
  look: () => Promise<Row>,
  isEnd: (row: Row) => boolean,
  { signal, onProgress, firstPauseMs = 1_000, pauseMsMax = 15_000 }: WaitOptions<Row>,
): Promise<Row> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, pauseMsMax)) {
    const row = await look()
    onProgress?.(row)
    if (isEnd(row)) return row
    await pause(pauseMs, signal)
  }
}
