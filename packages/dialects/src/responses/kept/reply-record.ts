import type { Keeping } from '../../contract/dialect.ts'
import { parseOrNone } from '../../json/parse-or-none.ts'
import { readFrame } from '../../passthrough/read-frame.ts'
import { editMembers, memberOf, outlineOf, startOf, withMembers } from './response-json.ts'

/** Failure of a reply without its vendor's end. */
export interface RecordFailure {
  type: string
  code: string
  message: string
}

interface RecordOptions {
  /** JSON of the response that the client has already, whose id stays. */
  first?: string | undefined
  /** Number of the last event before this record; left out: it begins with event 0. */
  sequence?: number
  /** Maximum length of the last event, and of all stored events before it. */
  lengthMax?: number
}

/**
 * Records a reply while its events pass, and corrects their envelopes: the vendor was asked neither to keep the reply nor
 * to continue another one.
 *
 *   queued (background only) -> in_progress -> completed | incomplete | failed | cancelled
 */
export class ReplyRecord {
  /** JSON of the response that the client got last; undefined before the first event. */
  response: string | undefined
  /** JSON of the response before its end, without output; undefined where the first event is the last one. */
  begun: string | undefined
  isEnded = false
  /** An event exceeded the limit: that event and all later ones go to the client only. */
  isCut = false
  /** The response exceeded the limit and was not inspected. */
  isTooLarge = false
  /** The gateway has ended the reply: its last events are kept, also behind a cut. */
  hasOwnEnd = false
  /** Members that the gateway sets in each response, as JSON. */
  readonly #members: Readonly<Record<string, string>>
  readonly #lengthMax: number
  #endMembers: ReadonlyMap<string, string> = new Map()
  /** Number of the last event that is kept. */
  #sequence: number
  #length = 0
  #events = ''

  constructor({ isStored, isBackground, previousId }: Keeping, options: RecordOptions = {}) {
    const { first, sequence = -1, lengthMax = Number.POSITIVE_INFINITY } = options
    this.response = first
    this.begun = first
    this.#sequence = sequence
    this.#lengthMax = lengthMax
    this.#members = {
      ...(first === undefined ? {} : { id: memberOf(first, 'id') ?? 'null' }),
      previous_response_id: JSON.stringify(previousId ?? null),
      background: String(isBackground),
      store: String(isStored),
    }
  }

  get id(): string | undefined {
    const id: unknown = JSON.parse(memberOf(this.response ?? '{}', 'id') ?? 'null')
    return typeof id === 'string' ? id : undefined
  }

  /** JSON of the output of a reply that its vendor has ended well. */
  get goodOutput(): string | undefined {
    const status = this.#endMembers.get('status')
    const isGood = !this.hasOwnEnd && (status === '"completed"' || status === '"incomplete"')
    return isGood ? (this.#endMembers.get('output') ?? '[]') : undefined
  }

  /** Returns the events for the client. Takes whole events only. */
  take(bytes: string | Uint8Array): string | Uint8Array {
    if (bytes.length > READ_BYTES_MAX) return this.#passLarge(bytes)
    let sent = ''
    for (const frame of textOf(bytes).split(BLANK_LINE)) {
      if (frame === '') continue
      sent += this.#isTooLong(frame) ? `${this.#passLarge(frame)}\n\n` : this.#takeFrame(frame)
    }
    return sent
  }

  takeWhole(body: string | Uint8Array): string | Uint8Array {
    const text = body.length > READ_BYTES_MAX ? undefined : textOf(body)
    if (text === undefined || this.#isTooLong(text)) return this.#passLargeWhole(body)
    this.response = this.#edit(text, text.indexOf('{')).text
    this.isEnded = true
    return this.response
  }

  /** Ends the reply; returns the last events for its readers. Changes nothing once it has ended. */
  fail({ type, code, message }: RecordFailure, status: 'failed' | 'cancelled'): string {
    if (this.isEnded) return ''
    const error = { type, code, message, param: null }
    this.isEnded = true
    this.hasOwnEnd = true
    const { response = '{}' } = this
    this.response = withMembers(response.length > this.#lengthMax ? outlineOf(response) : response, {
      status: JSON.stringify(status),
      error: JSON.stringify(status === 'failed' ? { code, message } : null),
      incomplete_details: 'null',
    })
    const failed = this.#event('error', JSON.stringify({ type: 'error', code, message, param: null, error }))
    const last = this.#event('response.failed', `{"type":"response.failed","response":${this.response}}`)
    this.#events += failed + last
    return failed + last
  }

  /** Returns the events since the last call. */
  drain(): string {
    const events = this.#events
    this.#events = ''
    return events
  }

  /** Whether a text is longer than anything that can be kept. */
  #isTooLong(text: string): boolean {
    return text.length > this.#lengthMax + BESIDE_LENGTH_MAX
  }

  /** Passes events that no reader will get. Reads only their first 4,096 bytes, and the name of the last one. */
  #passLarge(bytes: string | Uint8Array): string | Uint8Array {
    this.isCut = true
    const name = endOf(bytes).matchAll(NAMES).toArray().at(-1)?.[1] ?? ''
    const head = textOf(bytes.slice(0, HEAD_LENGTH))
    const firstName = (head.matchAll(NAMES).next().value ?? TYPE.exec(head))?.[1] ?? ''
    const at = head.indexOf('"response"')
    if (at !== -1) this.response ??= this.#outlineIn(head.slice(at))
    if (ENVELOPES.get(name) !== 'last' && ENVELOPES.get(firstName) !== 'last') return bytes
    this.isTooLarge ||= !this.isEnded
    this.isEnded = true
    return bytes
  }

  #passLargeWhole(body: string | Uint8Array): string | Uint8Array {
    this.response = this.#outlineIn(textOf(body.slice(0, HEAD_LENGTH)))
    this.isTooLarge = true
    this.isEnded = true
    return body
  }

  /** Returns the outline of a response, with the members that stand whole near its beginning. */
  #outlineIn(head: string): string {
    const members: Record<string, string> = { ...this.#members, usage: 'null' }
    for (const name of ['id', 'created_at', 'model']) members[name] ??= memberOf(head, name) ?? ''
    const found = Object.entries(members).filter(([, value]) => parseOrNone(value) !== undefined)
    return withMembers('{"object":"response"}', Object.fromEntries(found))
  }

  #takeFrame(frame: string): string {
    const { name, data } = eventIn(frame)
    // A comment, which keeps the connection open, goes to the client only.
    if (data === undefined) return `${frame}\n\n`
    const sent = this.#takeEnvelope(name, data) ?? `${frame}\n\n`
    this.#keep(sent, data)
    return sent
  }

  /** The last event repeats the response, so it has a limit of its own. */
  #keep(sent: string, data: string): void {
    const length = this.isEnded ? sent.length : this.#length + sent.length
    if (length > this.#lengthMax) this.isCut = true
    if (this.isCut) return
    this.#length += sent.length
    this.#events += sent
    this.#sequence = sequenceIn(data) ?? this.#sequence
  }

  #takeEnvelope(type: string, data: string): string | undefined {
    const state = ENVELOPES.get(type)
    const start = state === undefined ? -1 : startOf(data, 'response')
    if (data[start] !== '{') return undefined
    const { text: sent, end } = this.#edit(data, start)
    // A reply that was cancelled stays so, whatever its vendor still sends.
    if (!this.isEnded) this.response = sent
    if (state === 'first') this.begun = sent
    if (state === 'last') this.isEnded = true
    return frameOf(type, data.slice(0, start) + sent + data.slice(end))
  }

  /** Sets the members of the response that opens at `start`, and notes its `END_MEMBERS`. */
  #edit(json: string, start: number): { text: string; end: number } {
    const edited = editMembers(json, start, this.#members, END_MEMBERS)
    if (!this.isEnded) this.#endMembers = edited.found
    return edited
  }

  #event(type: string, data: string): string {
    this.#sequence += 1
    return frameOf(type, withMembers(data, { sequence_number: String(this.#sequence) }))
  }
}

/** Kept events after a number, and the number of the last one. */
export function eventsAfter(events: string, after: number): { text: string; last: number } {
  let [text, last] = ['', after]
  for (const frame of events.split(events.includes('\r') ? BLANK_LINE : '\n\n')) {
    if (frame === '') continue
    const sequence = sequenceIn(frame) ?? sequenceIn(eventIn(frame).data ?? '')
    if (sequence !== undefined && sequence <= after) continue
    text += `${frame}\n\n`
    last = Math.max(last, sequence ?? last)
  }
  return { text, last }
}

const END_MEMBERS: ReadonlySet<string> = new Set(['status', 'output'])
const BLANK_LINE = /\r\n\r\n|\n\n|\r\r/
/** Lines that name events, with any line break. */
const NAMES = /^event: ?([^\r\n]+)/gm
/** Type of an event without a name, which vendors write first. */
const TYPE = /"type":\s*"([^"]+)"/
const HEAD_LENGTH = 4_096
/** Larger events and responses pass unchanged: each is read several times, on the thread that serves all requests. */
const READ_BYTES_MAX = 8 * 1024 * 1024
/** Maximum length of an event beyond the response in it. */
const BESIDE_LENGTH_MAX = 256 * 1024
const SEQUENCE = /"sequence_number":\s*(\d+)/
/** Events that hold the response. */
const ENVELOPES: ReadonlyMap<string, 'first' | 'last'> = new Map([
  ['response.created', 'first'],
  ['response.queued', 'first'],
  ['response.in_progress', 'first'],
  ['response.completed', 'last'],
  ['response.incomplete', 'last'],
  ['response.failed', 'last'],
])

function textOf(bytes: string | Uint8Array): string {
  return typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')
}

function endOf(bytes: string | Uint8Array): string {
  return textOf(bytes.slice(-HEAD_LENGTH))
}

/** Looks for the name in unescaped quotes, which cannot stand inside a string. */
function sequenceIn(data: string): number | undefined {
  const at = data.lastIndexOf('"sequence_number":')
  const found = at === -1 ? null : SEQUENCE.exec(data.slice(at, at + 40))
  return found === null ? undefined : Number(found[1])
}

function frameOf(type: string, data: string): string {
  return `event: ${type}\ndata: ${data.replaceAll('\n', '\ndata: ')}\n\n`
}

/** Vendors put the lines of an event in any order, and some leave its name to the data. Without data it is not an event. */
function eventIn(frame: string): { name: string; data: string | undefined } {
  const { name, lines } = readFrame(frame, 0, frame.length)
  if (lines.length === 0) return { name: '', data: undefined }
  const data = lines.map(({ start, end }) => frame.slice(start, end)).join('\n')
  return { name: name ?? typeIn(data), data }
}

function typeIn(data: string): string {
  const type: unknown = JSON.parse(memberOf(data, 'type') ?? 'null')
  return typeof type === 'string' ? type : ''
}
