import { setTimeout as delay } from 'node:timers/promises'
import { oneLine } from './format-table.ts'

/** Screen of a long-running command: a line that changes in place, and Ctrl-C to leave. */
export interface Screen extends Disposable {
  /** Whether the line changes in place; elsewhere each one is a line of its own. */
  readonly isLive: boolean
  draw(line: string): void
  /** Rejects with `Interrupted` after Ctrl-C, also when it was pressed before. */
  pause(spanMs: number): Promise<void>
  /** Removes the live line, so that only results remain, and returns Ctrl-C to the system. */
  [Symbol.dispose](): void
}

/** Thrown after Ctrl-C: nothing failed, and there is nothing to explain. */
export class Interrupted extends Error {}

/** Output of a command: results on one stream, notices about them on the other. */
export interface Terminal {
  result(text: string): void
  notice(text: string): void
  /** Resolves with the typed line. Undefined: input or notices are no terminal. */
  ask: ((question: string) => Promise<string>) | undefined
  /** Writes on standard error; the command that opens it also disposes of it. */
  openScreen(): Screen
}

const START_OF_LINE = '\r'
const CLEAR_LINE = '\x1b[K'
const COLUMNS = 80

export function openScreen(input: {
  stream: { write(text: string): unknown; isTTY?: boolean; columns?: number }
  signals: {
    once(name: 'SIGINT', listener: () => void): unknown
    off(name: 'SIGINT', listener: () => void): unknown
  }
}): Screen {
  const { stream, signals } = input
  const isLive = stream.isTTY === true
  const interrupt = new AbortController()
  const onInterrupt = () => interrupt.abort()
  // The listener runs once: a second Ctrl-C ends the process in any case.
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
