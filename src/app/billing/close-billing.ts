import { withDeadline } from '../jobs/deadline.ts'
import type { Runtime } from '../runtime.ts'
import type { Allowances } from './allowances.ts'
import type { GroupEnd } from './settle-group.ts'
import type { UsageBuffer } from './usage-buffer.ts'

const RETRY_MS = 100

/**
 * Ends billing in a process that serves no request any more: writes all rows, then returns all leases. One deadline covers
 * everything, the running passes of the loops included. When the store stays unreachable, waiting rows are lost and
 * counted, and the leases expire by themselves.
 */
export async function closeBilling(
  tools: Pick<Runtime, 'log' | 'pause'> & {
    allowances: Allowances
    buffer: UsageBuffer
    end: GroupEnd
    /** Resolves when the loops have stopped, which may take as long as the store does. */
    stopLoops(): Promise<unknown>
    patienceMs: number
    /** Added to `patienceMs` while rows wait. */
    spareMs?: number
  },
): Promise<void> {
  const { allowances, buffer, end, stopLoops, log, pause, patienceMs, spareMs = 0 } = tools
  const late = new AbortController()
  void pause(patienceMs + (buffer.waiting() > 0 ? spareMs : 0)).then(() => late.abort())
  allowances.stop()
  await withDeadline(stopLoops().then(writeAll), late)
  const unanswered = buffer.close()
  const settled = Promise.all([allowances.giveBackAll(), end.daysDone()])
  await withDeadline(settled, late)
  if (late.signal.aborted) log.warn('billing.close_failed', { count: unanswered })

  async function writeAll(): Promise<void> {
    while (!late.signal.aborted && buffer.waiting() > 0) {
      if (!(await buffer.writeGroup())) await pause(RETRY_MS)
    }
  }
}
