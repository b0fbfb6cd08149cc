import { setTimeout as sleep } from 'node:timers/promises'

/** Whether the work was done in that time; if not, it goes on unattended. Rejects as the work does. */
export async function within(work: PromiseLike<unknown>, patienceMs: number): Promise<boolean> {
  const enough = new AbortController()
  const late = sleep(Math.max(0, patienceMs), false, { signal: enough.signal }).catch(() => false)
  try {
    return await Promise.race([Promise.resolve(work).then(() => true), late])
  } finally {
    enough.abort()
  }
}
