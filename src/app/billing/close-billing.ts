import type { Pause } from '../../ports/pause.ts'
import type { Allowances } from './allowances.ts'
import type { GroupEnd } from './settle-group.ts'
import type { UsageBuffer } from './usage-buffer.ts'

const RETRY_MS = 100

/**
 * The end of a process that has drained: everything is written, then all leases go back. When the store stays away past
 * the patience, what waits is lost and counted, and the leases expire by themselves.
 */
export async function closeBilling({
  allowances,
  buffer,
  end,
  pause,
  patienceMs,
}: {
  allowances: Allowances
  buffer: UsageBuffer
  end: GroupEnd
  pause: Pause
  patienceMs: number
}): Promise<void> {
  let isLate = false
  const late = pause(patienceMs).then(() => {
    isLate = true
  })
  allowances.stop()
  await Promise.race([writeAll(), late])
  if (buffer.waiting() > 0) buffer.giveUp()
  await Promise.race([Promise.all([allowances.giveBackAll(), end.daysDone()]), late])

  async function writeAll(): Promise<void> {
    while (!isLate && buffer.waiting() > 0) {
      if (!(await buffer.writeGroup())) await pause(RETRY_MS)
    }
  }
}
