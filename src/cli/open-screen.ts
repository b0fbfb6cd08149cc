import { setTimeout as delay } from 'node:timers/promises'
import { oneLine } from './format-table.ts'
import { Interrupted, type Screen } from './screen.ts'

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
  // Once: whoever presses Ctrl-C again wants out at any price.
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
