import type { Log } from '../ports/log.ts'

/** What does not close is a line in the log, and no reason to leave the rest open or to hide why a start failed. */
export function closerInto(opened: AsyncDisposableStack, log: Log) {
  return (reason: string, close: () => Promise<unknown>): void =>
    opened.defer(async () => {
      try {
        await close()
      } catch (error) {
        log.error('process.close_failed', { reason, error })
      }
    })
}
