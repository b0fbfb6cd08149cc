import { setTimeout as delay } from 'node:timers/promises'
import { oneLine } from './format-table.ts'

/** Screen of a long-running command, with one line that changes in place. Ctrl-C ends the command. */
export interface Screen extends Disposable {
  /** Whether the line changes in place; if not, each `draw` writes a new line. */
  readonly isLive: boolean
  draw(line: string): void
  /** Waits. Rejects with `Interrupted` after Ctrl-C, even if it was pressed before the call. */
  pause(spanMs: number): Promise<void>
  /** Removes the live line, so that only results remain, and stops handling Ctrl-C. */
  [Symbol.dispose](): void
}

/** Thrown after Ctrl-C. The command line prints no message for it. */
export class Interrupted extends Error {}

/** Input and output of a command: `result` and `notice` write to separate streams. */
export interface Terminal {
  result(text: string): void
  notice(text: string): void
  /** Resolves with the typed line. undefined: input or notices are not a terminal. */
  ask: ((question: string) => Promise<string>) | undefined
  /** Opens a screen on standard error; the command disposes of it. */
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
  // The listener runs once, so that a second Ctrl-C ends the process in any case.
  signals.once('SIGINT', onInterrupt)
  let hasLine = false
  return {
    isLive,
    draw(line) {
      const text = oneLine(line)
      if (!isLive) return void stream.write(`${text}\n`)
      hasLine = true
      // The line is cut, because a wrapped line cannot be redrawn in place.
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
