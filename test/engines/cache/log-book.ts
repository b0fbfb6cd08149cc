import type { Log } from '../../../src/ports/log.ts'

/** A log that keeps what was written, for a test to read. */
export interface LogBook extends Log {
  events: string[]
}

export function createLogBook(): LogBook {
  const events: string[] = []
  const write = (event: string) => {
    events.push(event)
  }
  return { events, debug: write, info: write, warn: write, error: write }
}
