import type { Log, LogFields } from '../../../src/ports/log.ts'

export interface ToldLog extends Log {
  /** Logged lines without debug. */
  readonly lines: { event: string; fields: LogFields }[]
  /** Number of lines of an event. */
  count(event: string): number
}

/** A log that a test can read. */
export function recordingLog(): ToldLog {
  const lines: ToldLog['lines'] = []
  const write = (event: string, fields: LogFields = {}) => void lines.push({ event, fields })
  return {
    lines,
    count: (event) => lines.filter((line) => line.event === event).length,
    debug() {},
    info: write,
    warn: write,
    error: write,
  }
}
