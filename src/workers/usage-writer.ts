import type { UsageBuffer } from '../app/billing/usage-buffer.ts'
import type { Log } from '../ports/log.ts'
import type { Loop } from './schedule.ts'

/** While the store is fast, a row waits at most 20 ms, including its write and the group before it. */
const GATHER_MS = 12
const ROWS_ENOUGH = 500
const RETRY_MS_MIN = 50
const RETRY_MS_MAX = 1_000

/** Writes usage in groups: a moment after the first row, or when a group is full. Sets no timer without rows. */
export function startUsageWriter({ buffer, log }: { buffer: UsageBuffer; log: Log }): Loop {
  let isStopped = false
  let isWriting = false
  let writing = Promise.resolve()
  let retryMs = 0
  let timer: NodeJS.Timeout | undefined
  buffer.whenDue(schedule)
  schedule()

  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      return writing
    },
  }

  function schedule(): void {
    if (isStopped || isWriting || buffer.waiting() === 0) return
    const isEnough = buffer.waiting() >= ROWS_ENOUGH && retryMs === 0
    if (timer !== undefined && !isEnough) return
    clearTimeout(timer)
    timer = setTimeout(begin, isEnough ? 0 : Math.max(GATHER_MS, retryMs)).unref()
  }

  function begin(): void {
    timer = undefined
    isWriting = true
    writing = write().then(() => {
      isWriting = false
      schedule()
    })
  }

  async function write(): Promise<void> {
    try {
      const isWell = await buffer.writeGroup()
      if (isWell && retryMs > 0) log.info('usage.resumed', { count: buffer.waiting() })
      if (!isWell && retryMs === 0) log.warn('usage.blocked', { count: buffer.waiting() })
      retryMs = isWell ? 0 : Math.min(RETRY_MS_MAX, Math.max(RETRY_MS_MIN, retryMs * 2))
    } catch (error) {
      log.error('usage.group_failed', { error })
      retryMs = RETRY_MS_MAX
    }
  }
}
