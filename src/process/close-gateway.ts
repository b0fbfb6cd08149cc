import { withDeadline } from '../app/jobs/deadline.ts'
import type { Gateway } from '../compose/gateway.ts'

export const CLOSING_MS_MAX = 3_000
/** Maximum time for handles that remain after closing, and for the last log lines. */
const LINGER_MS_MAX = 1_000

/**
 * Closes the gateway in limited time, because a supervisor waits for the end of the process. `spareMs` is what is left of
 * the grace of a stop: a slow store can use it to take the last usage.
 */
export async function closeGateway(
  { close, log }: Pick<Gateway, 'close' | 'log'>,
  { patienceMs = CLOSING_MS_MAX, spareMs = 0 }: { patienceMs?: number; spareMs?: number } = {},
): Promise<void> {
  if (await withDeadline(close(spareMs), { ms: patienceMs + spareMs })) return
  log.error('process.close_timed_out')
  await withDeadline(log.flush(), { ms: LINGER_MS_MAX })
}

/** Exits with `process.exitCode`, even if a handle keeps the process alive. */
export function endEvenIfHeld(): void {
  setTimeout(() => process.exit(), LINGER_MS_MAX).unref()
}
