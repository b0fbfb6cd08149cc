import { isJsonObject, type JsonObject } from '../../../domain/json-object.ts'
import { keepNumbers } from '../../values/keep-numbers.ts'
import { parseOrNone } from '../../values/values.ts'
import type { Keeping } from './keeping.ts'

/** Why a reply ended without its vendor's end. */
export interface RecordFailure {
  type: string
  code: string
  message: string
}

/**
 * A reply while its events pass: their envelopes say what the gateway made of the request, since the vendor was asked
 * neither to keep the reply nor to go on from another one.
 *
 *   queued (background only) -> in_progress -> completed | incomplete | failed | cancelled
 */
export class ReplyRecord {
  /** As it was last told; undefined before the first event. */
  response: JsonObject | undefined
  isEnded = false
  readonly #members: JsonObject
  #sequence: number
  #events = ''

  /** `first`: the response that the client has been told of already, whose id stays. `sequence`: of the last event. */
  constructor({ isStored, isBackground, previousId }: Keeping, first?: JsonObject, sequence = -1) {
    this.response = first
    this.#sequence = sequence
    this.#members = {
      ...(first === undefined ? {} : { id: first.id }),
      ...{ previous_response_id: previousId ?? null, background: isBackground, store: isStored },
    }
  }

  /** The same events for the client. Whole events only. */
  take(bytes: string | Uint8Array): string {
    const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')
    let told = ''
    for (const frame of text.split(BLANK_LINE)) {
      if (frame === '') continue
      told += frame.startsWith(':') ? `${frame}\n\n` : this.#takeFrame(frame)
    }
    return told
  }

  /** A reply that came whole. */
  takeWhole(body: string | Uint8Array): string {
    const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
    const value = parseOrNone(text)
    if (!isJsonObject(value)) return text
    this.response = { ...keepNumbers(value, text), ...this.#members }
    this.isEnded = true
    return JSON.stringify(this.response)
  }

  /** Ends it; the last events for those who read along. Changes nothing once it has ended. */
  fail({ type, code, message }: RecordFailure, status: 'failed' | 'cancelled'): string {
    if (this.isEnded) return ''
    const error = { type, code, message, param: null }
    const response = {
      ...this.response,
      status,
      error: status === 'failed' ? { code, message } : null,
      incomplete_details: null,
    }
    this.isEnded = true
    this.response = response
    const words = this.#event('error', { code, message, param: null, error })
    const last = this.#event('response.failed', { response })
    this.#events += words + last
    return words + last
  }

  /** The events since the last time. */
  drain(): string {
    const events = this.#events
    this.#events = ''
    return events
  }

  #takeFrame(frame: string): string {
    const data = dataOf(frame)
    const sequence = sequenceIn(data)
    if (sequence !== undefined) this.#sequence = sequence
    const written = data.includes(RESPONSE) ? this.#takeEnvelope(data) : undefined
    const told = written ?? `${frame}\n\n`
    this.#events += told
    return told
  }

  #takeEnvelope(data: string): string | undefined {
    const event = parseOrNone(data)
    if (!isJsonObject(event) || !isJsonObject(event.response)) return undefined
    const { response } = keepNumbers(event, data)
    if (!isJsonObject(response)) return undefined
    const told = { ...response, ...this.#members }
    // A reply that was cancelled stays so, whatever its vendor still sends.
    if (!this.isEnded) this.response = told
    if (ENDS.has(String(event.type))) this.isEnded = true
    return `event: ${event.type}\ndata: ${JSON.stringify({ ...event, response: told })}\n\n`
  }

  #event(type: string, members: object): string {
    this.#sequence += 1
    return `event: ${type}\ndata: ${JSON.stringify({ type, ...members, sequence_number: this.#sequence })}\n\n`
  }
}

/** The events behind a number, of events as they were kept, and the number of the last one. */
export function eventsAfter(events: string, after: number): { text: string; last: number } {
  let [text, last] = ['', after]
  for (const frame of events.split(BLANK_LINE)) {
    if (frame === '') continue
    const sequence = sequenceIn(dataOf(frame))
    if (sequence !== undefined && sequence <= after) continue
    text += `${frame}\n\n`
    last = Math.max(last, sequence ?? last)
  }
  return { text, last }
}

const BLANK_LINE = /\r\n\r\n|\n\n|\r\r/
/** In text that a model wrote the quotes are escaped. */
const RESPONSE = '"response":'
const SEQUENCE = /"sequence_number":\s*(\d+)/
const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** In plain quotes the name cannot stand inside a string. */
function sequenceIn(data: string): number | undefined {
  const at = data.lastIndexOf('"sequence_number":')
  const found = at === -1 ? null : SEQUENCE.exec(data.slice(at, at + 40))
  return found === null ? undefined : Number(found[1])
}

function dataOf(frame: string): string {
  let data = ''
  for (const line of frame.split(/\r\n|\n|\r/)) {
    if (!line.startsWith('data:')) continue
    const value = line.slice(line.charAt(5) === ' ' ? 6 : 5)
    data = data === '' ? value : `${data}\n${value}`
  }
  return data
}
