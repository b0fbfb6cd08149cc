import { styleText } from 'node:util'
import type { FinishedRequest } from '../../ports/log.ts'
import { cleanFields } from './clean-fields.ts'
import { messageOf } from './event-messages.ts'
import type { LineFormat, LoggedEvent } from './log.ts'

type Colour = 'dim' | 'red' | 'yellow' | 'green' | 'cyan'

const LEVEL_COLOURS = { debug: 'dim', info: 'green', warn: 'yellow', error: 'red' } as const
const LEVEL_WIDTH = 5
/** Operations of probes, whose frequent successes would hide other lines. */
const PROBES: ReadonlySet<string> = new Set(['healthz', 'readyz', 'metrics'])

/** Formats short lines for a person at a terminal, with the time of this machine. */
export function textLines({ hasColours }: { hasColours: boolean }): LineFormat {
  return {
    time: (atMs) => new Date(atMs).toTimeString().slice(0, 8),
    request(request, time) {
      const { operation, method, status, durationMs } = request
      if (PROBES.has(operation) && status < 400) return ''
      const level = status < 500 ? 'info' : 'error'
      const what = `${method} ${operation} ${paint(statusColour(status), String(status))}`
      const rest = membersOf(importantOf(request))
      return `${head(level, time)} ${what} ${Math.round(durationMs)} ms${rest}\n`
    },
    event({ level, event, fields }: LoggedEvent, time) {
      const rest = fields === undefined ? '' : membersOf(cleanFields(fields))
      return `${head(level, time)} ${event} ${messageOf(event)}${rest}\n`
    },
  }

  function head(level: keyof typeof LEVEL_COLOURS, time: string): string {
    return `${paint('dim', time)} ${paint(LEVEL_COLOURS[level], level.padEnd(LEVEL_WIDTH))}`
  }

  function membersOf(members: object): string {
    return Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ` ${paint('dim', `${name}=`)}${plain(value)}`)
      .join('')
  }

  function paint(colour: Colour, text: string): string {
    return hasColours ? styleText(colour, text, { validateStream: false }) : text
  }
}

function importantOf({ code, servedBy, usage, organizationId, requestId }: FinishedRequest) {
  return { code, model: servedBy, costMicros: usage?.costMicros, organizationId, requestId }
}

function statusColour(status: number): Colour {
  if (status < 400) return 'green'
  return status < 500 ? 'yellow' : 'red'
}

/** Removes control characters, which a terminal would interpret. */
function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isPlain = typeof value !== 'string' || /^[^\s"=]+$/.test(text)
  return (isPlain ? text : JSON.stringify(text)).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
}
