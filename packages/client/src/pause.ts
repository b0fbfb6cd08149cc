/** Waits `ms`. If the signal is aborted first, the promise rejects with the signal's reason. */
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

export interface Abortable {
  signal?: AbortSignal
}

export interface WaitOptions<Row> extends Abortable {
  /** Called with each row that is read, also with the last one. */
  onProgress?(row: Row): void
  /** Left out: 1,000. Each pause is 1.5 times as long as the one before it. */
  firstPauseMs?: number
  /** Longest pause. Left out: 15,000. */
  pauseMsMax?: number
}

/** Reads a row again and again, with growing pauses, until `isEnd` is true for it. */
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
