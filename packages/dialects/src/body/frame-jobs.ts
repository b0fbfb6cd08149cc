import type { TextEndpoint } from '../dialect-facts.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'
import { countValues } from '../json/json-bounds.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { LIGHT_VALUES_MAX } from '../json/parse-json.ts'
import { parseOrNone } from '../json/parse-or-none.ts'
import { inspectFrame, joinLines } from '../passthrough/inspect-frame.ts'
import { readFrame } from '../passthrough/read-frame.ts'
import { ReplyScanner, TEXT_MEMBERS } from '../passthrough/reply-scanner.ts'
import { type Edit, spliceBytes } from '../passthrough/splice-bytes.ts'
import { responseBytes } from '../responses/passthrough/whole-reply.ts'

/** An event for the client, and a small form of it for the listener of the stream. */
export interface PassedFrame {
  body: Buffer
  small: Buffer
  outputBytes: number
}

interface FrameJob {
  dialect: TextEndpoint
  model: string
  hides: readonly string[]
  /** The small members of the client's request. */
  request: JsonObject
}

/** Edits a large event that stays in its dialect. undefined: it cannot be read, or its small form is too large. */
export function passFrame(bytes: Buffer, { dialect, ...options }: FrameJob): PassedFrame | undefined {
  const text = bytes.toString('latin1')
  const listener = CLIENT_DIALECTS[dialect].passthrough.createListener(options)
  const edits: Edit[] = []
  const { model, hides } = options
  const place = { bytes, text, start: 0, end: text.length, model, hides, hasReturns: text.includes('\r') }
  const inspected = inspectFrame(place, listener, edits)
  const { name, lines } = readFrame(text, 0, text.length)
  const data = shrunkJson(parseOrNone(joinLines(bytes, lines)), { keepsText: false })
  if (inspected === undefined || data === undefined) return undefined
  const named = name === undefined ? '' : `event: ${name}\n`
  return {
    body: Buffer.from(spliceBytes(bytes, edits)),
    small: Buffer.from(`${named}data: ${data}\n\n`),
    outputBytes: inspected.outputBytes,
  }
}

/** Data of a large event for a reader. Long lists and strings are cut; `text` tells what became of the text. */
export interface ShrunkFrame {
  data: string
  /** `repeated`: the text was cut, because earlier events should have brought it. `lost`: the text does not fit. */
  text: 'kept' | 'repeated' | 'lost'
  /** Length of the text that was taken out. */
  textBytes: number
}

/**
 * Shrinks a large event that is converted to another dialect. Text that does not fit is cut in an event with a
 * `response`, because earlier events brought it; any other event loses it. undefined: the event is not a JSON object.
 */
export function shrinkFrame(bytes: Buffer, _args: object): ShrunkFrame | undefined {
  const event = parseOrNone(bytes.toString('utf8'))
  if (!isJsonObject(event)) return undefined
  const response = isJsonObject(event.response) ? event.response : undefined
  const lengthMax = response === undefined ? TEXT_LENGTH_MAX : DATA_LENGTH_MAX
  const data = shrunkJson(event, { keepsText: true, lengthMax })
  if (data !== undefined) return { data, text: 'kept', textBytes: 0 }
  const rest = shrunkJson(event, { keepsText: false })
  if (response !== undefined && rest !== undefined)
    return { data: rest, text: 'repeated', textBytes: responseBytes(response) }
  return { data: rest ?? '', text: 'lost', textBytes: textBytesIn(bytes) }
}

/** An event of which only the length is known. */
export function lostFrame(bytes: number): ShrunkFrame {
  return { data: '', text: 'lost', textBytes: bytes }
}

/** Bytes of text that is lost; `outputBytes` counts the text that came before. undefined: nothing is lost. */
export function lostTextBytes({ text, textBytes }: ShrunkFrame, outputBytes: number): number | undefined {
  if (text === 'lost') return textBytes
  return text === 'repeated' && textBytes > outputBytes ? textBytes - outputBytes : undefined
}

function textBytesIn(bytes: Buffer): number {
  const scanner = new ReplyScanner()
  scanner.push(bytes)
  return scanner.outputBytes
}

/** Long strings cost the main thread little; many values cost it more. */
const TEXT_LENGTH_MAX = 4 * 1024 * 1024
const DATA_LENGTH_MAX = 512 * 1024
const LIST_LENGTH_MAX = 1_024
const VALUES_MAX = 4 * LIGHT_VALUES_MAX

/** Members with text or a proof of reasoning, which is useless in part. They stay whole where text is kept. */
const KEPT: ReadonlySet<string> = new Set([...TEXT_MEMBERS, 'encrypted_content', 'signature'])

/** Limits of text length and list depth. If text is not kept, the second row applies when the first leaves too much. */
const CUTS = [
  { textMax: 1_024, depthMax: Number.POSITIVE_INFINITY },
  // Keeps ids and types, and `response.output` without the lists of its items.
  { textMax: 64, depthMax: 3 },
]

function shrunkJson(
  value: unknown,
  { keepsText, lengthMax = DATA_LENGTH_MAX }: { keepsText: boolean; lengthMax?: number },
): string | undefined {
  if (!isJsonObject(value)) return undefined
  for (const cut of keepsText ? CUTS.slice(0, 1) : CUTS) {
    const json = cutJson(value, cut, keepsText)
    if (json.length <= lengthMax && hasFewValues(json)) return json
  }
  return undefined
}

function hasFewValues(json: string): boolean {
  const bounds = { depthMax: Number.POSITIVE_INFINITY, valuesMax: VALUES_MAX, nul: 'pass' } as const
  return countValues(Buffer.from(json), bounds) <= VALUES_MAX
}

function cutJson(
  value: JsonObject,
  { textMax, depthMax }: (typeof CUTS)[number],
  keepsText: boolean,
): string {
  const depths = new WeakMap<object, number>()
  return JSON.stringify(value, function (this: object, name, member: unknown) {
    if (typeof member === 'string') return keepsText && KEPT.has(name) ? member : member.slice(0, textMax)
    if (typeof member !== 'object' || member === null) return member
    const depth = (depths.get(this) ?? -1) + 1
    const kept = Array.isArray(member) ? member.slice(0, depth < depthMax ? LIST_LENGTH_MAX : 0) : member
    depths.set(kept, depth)
    return kept
  })
}
