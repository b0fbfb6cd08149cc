import type { Log, LogFields } from '../../../src/ports/log.ts'

export interface ToldLog extends Log {
  /** What was said, debug lines aside. */
  readonly lines: { event: string; fields: LogFields }[]
  /** How often an event was told. */
  count(event: string): number
}

/** A log that a test can read. */
export function tellLog(): ToldLog {
  const lines: ToldLog['lines'] = []
  const tell = (event: string, fields: LogFields = {}) => void lines.push({ event, fields })
  return {
    lines,
    count: (event) => lines.filter((line) => line.event === event).length,
    debug() {},
    info: tell,
    warn: tell,
    error: tell,
  }
}
