import { setTimeout as delay } from 'node:timers/promises'
import { oneLine } from './format-table.ts'

/** For a command that goes on for a while: a line that changes in place, and Ctrl-C as a way to leave. */
export interface Screen extends Disposable {
  /** Whether a person sees the line change in place; elsewhere each one is a line of its own. */
  readonly isLive: boolean
  draw(line: string): void
  /** Rejects with `Interrupted` after Ctrl-C, also when it was pressed before. */
  pause(spanMs: number): Promise<void>
  /** Takes the live line away, so that results stand alone, and leaves Ctrl-C to the system again. */
  [Symbol.dispose](): void
}

/** The operator pressed Ctrl-C: nothing went wrong, and there is nothing to explain. */
export class Interrupted extends Error {}

/** Where a command writes: results on one side, everything said about them on the other. */
export interface Terminal {
  result(text: string): void
  notice(text: string): void
  /** On standard error; the command that opens it also disposes of it. */
  openScreen(): Screen
}

const START_OF_LINE = '\r'
const CLEAR_LINE = '\x1b[K'
const COLUMNS = 80

/** The screen behind a stream, which is a terminal or not. */
export function openScreen({
  stream,
  signals,
}: {
  stream: { write(text: string): unknown; isTTY?: boolean; columns?: number }
  signals: {
    once(name: 'SIGINT', listener: () => void): unknown
    off(name: 'SIGINT', listener: () => void): unknown
  }
}): Screen {
  const isLive = stream.isTTY === true
  const interrupt = new AbortController()
  const onInterrupt = () => interrupt.abort()
  // Once: a second Ctrl-C ends the process in any case.
  signals.once('SIGINT', onInterrupt)
  let hasLine = false
  return {
    isLive,
    draw(line) {
      const text = oneLine(line)
      if (!isLive) return void stream.write(`${text}\n`)
      hasLine = true
      // A line that wraps cannot be redrawn in place.
      stream.write(`${START_OF_LINE}${CLEAR_LINE}${text.slice(0, (stream.columns || COLUMNS) - 1)}`)
    },
    async pause(spanMs) {
      try {
        await delay(spanMs, undefined, { signal: interrupt.signal })
      } catch (error) {
        throw new Interrupted('interrupted', { cause: error })
      }
    },
    [Symbol.dispose]() {
      if (hasLine) stream.write(`${START_OF_LINE}${CLEAR_LINE}`)
      signals.off('SIGINT', onInterrupt)
    },
  }
}
