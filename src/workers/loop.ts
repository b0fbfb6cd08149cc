import type { Log } from '../ports/log.ts'
import type { LogEvent } from '../ports/log-events.ts'

export interface Loop {
  /** Resolves when the pass under way, if any, is over; none follows. */
  stop(): Promise<void>
}

/** One pass after the other with a pause between them. A pass that fails is a line in the log. Keeps no process alive. */
export function startLoop({
  pass,
  pauseMs,
  log,
  failure,
}: {
  pass(): Promise<void>
  pauseMs: number
  log: Log
  /** What the log says of a failed pass. */
  failure: LogEvent
}): Loop {
  let isStopped = false
  let underWay = Promise.resolve()
  let timer = setTimeout(begin, pauseMs).unref()

  function begin(): void {
    underWay = pass()
      .catch((error: unknown) => log.warn(failure, { error }))
      .then(() => {
        if (!isStopped) timer = setTimeout(begin, pauseMs).unref()
      })
  }

  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      return underWay
    },
  }
}
