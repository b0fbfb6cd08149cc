export interface Deadline {
  /** Maximum wait of the caller. Left out: no time limit. */
  ms?: number
  signal?: AbortSignal
}

/**
 * Returns the result of the work, or undefined when its deadline came first. The work itself continues, and a later
 * failure is no unhandled rejection. `Promise.race` would leave a timer behind, and a listener on a signal that lives as
 * long as the process.
 */
export function withDeadline<T>(
  work: PromiseLike<T>,
  { ms, signal }: Deadline,
): Promise<{ value: T } | undefined> {
  return new Promise((resolve, reject) => {
    const timer = ms === undefined ? undefined : setTimeout(giveUp, Math.max(0, ms))
    signal?.addEventListener('abort', giveUp, { once: true })
    work.then(
      (value) => {
        clear()
        resolve({ value })
      },
      (error: unknown) => {
        clear()
        reject(error)
      },
    )
    if (signal?.aborted) giveUp()

    function giveUp(): void {
      clear()
      resolve(undefined)
    }

    function clear(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
  })
}

/** Maximum wait for a store or vendor that hangs: other parts need time for closing, and unreturned leases expire. */
const CLOSING_MS_MAX = 1_000

/** Waits for the ends of parts that close, but not for one that hangs. */
export async function closeInTime(ends: readonly (PromiseLike<unknown> | undefined)[]): Promise<void> {
  await withDeadline(Promise.all(ends), { ms: CLOSING_MS_MAX })
}
