import type { TextEndpoint } from '../../domain/catalog/dialects.ts'
import { countValues } from '../../domain/json/json-bounds.ts'
import { LIGHT_VALUES_MAX } from '../../domain/json/parse-json.ts'
import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'
import { inspectFrame, joinLines } from '../passthrough/inspect-frame.ts'
import { readFrame } from '../passthrough/read-frame.ts'
import { ReplyScanner, WORDS } from '../passthrough/reply-scanner.ts'
import { type Edit, spliceBytes } from '../passthrough/splice-bytes.ts'
import { responseBytes } from '../responses/passthrough/whole-reply.ts'
import { parseOrNone } from '../values/values.ts'

/** An event as the client gets it, and the same event in a few bytes for those who listen to the stream. */
export interface PassedFrame {
  body: Buffer
  small: Buffer
  outputBytes: number
}

interface FrameJob {
  dialect: TextEndpoint
  model: string
  hides: readonly string[]
  /** The small members of the request. */
  asked: JsonObject
}

/** Edits a large event that stays in its dialect. undefined: it cannot be read. */
export function passFrame(bytes: Buffer, { dialect, ...options }: FrameJob): PassedFrame | undefined {
  const text = bytes.toString('latin1')
  const listener = CLIENT_DIALECTS[dialect].passthrough.createListener(options)
  const edits: Edit[] = []
  const { model, hides } = options
  const place = {
    ...{ bytes, text, start: 0, end: text.length, model, hides },
    hasReturns: text.includes('\r'),
  }
  const heard =
    listener.inspect === undefined ? inspectFrame(place, listener, edits) : listener.inspect(place, edits)
  const { name, lines } = readFrame(text, 0, text.length)
  const data = shrunkJson(parseOrNone(joinLines(bytes, lines)), { keepsWords: false })
  if (heard === undefined || data === undefined) return undefined
  const named = name === undefined ? '' : `event: ${name}\n`
  return {
    body: Buffer.from(spliceBytes(bytes, edits)),
    small: Buffer.from(`${named}data: ${data}\n\n`),
    outputBytes: heard.outputBytes,
  }
}

/** The data of a large event for a reader, without what readers drop. */
export interface ShrunkFrame {
  data: string
  /** `repeated`: they must have come before, and were taken out. `lost`: the event does not fit. */
  words: 'kept' | 'repeated' | 'lost'
  /** Length of the words that were taken out. */
  wordBytes: number
}

/**
 * Shrinks a large event that is put into another dialect. An envelope repeats the words that came before it, which are
 * taken out; other words have to fit. undefined: it is no JSON object.
 */
export function shrinkFrame(bytes: Buffer, _args: object): ShrunkFrame | undefined {
  const event = parseOrNone(bytes.toString('utf8'))
  if (!isJsonObject(event)) return undefined
  const response = isJsonObject(event.response) ? event.response : undefined
  const lengthMax = response === undefined ? WORDS_LENGTH_MAX : DATA_LENGTH_MAX
  const data = shrunkJson(event, { keepsWords: true, lengthMax })
  if (data !== undefined) return { data, words: 'kept', wordBytes: 0 }
  const rest = shrunkJson(event, { keepsWords: false })
  if (response !== undefined && rest !== undefined)
    return { data: rest, words: 'repeated', wordBytes: responseBytes(response) }
  return { data: rest ?? '', words: 'lost', wordBytes: wordBytesIn(bytes) }
}

/** An event of which only the length is known. */
export function lostFrame(bytes: number): ShrunkFrame {
  return { data: '', words: 'lost', wordBytes: bytes }
}

/** The bytes of words that do not fit and had not come before, after so many that had. undefined: all of them fit. */
export function lostWordBytes({ words, wordBytes }: ShrunkFrame, outputBytes: number): number | undefined {
  if (words === 'lost') return wordBytes
  return words === 'repeated' && wordBytes > outputBytes ? wordBytes - outputBytes : undefined
}

function wordBytesIn(bytes: Buffer): number {
  const scanner = new ReplyScanner()
  scanner.push(bytes)
  return scanner.outputBytes
}

/** Long strings cost the main thread little; many values cost it more. */
const WORDS_LENGTH_MAX = 4 * 1024 * 1024
const DATA_LENGTH_MAX = 512 * 1024
const LIST_LENGTH_MAX = 1_024
const VALUES_MAX = 4 * LIGHT_VALUES_MAX

/** A proof of reasoning is of use only as a whole. */
const KEPT: ReadonlySet<string> = new Set([...WORDS, 'encrypted_content', 'signature'])

/** How long other texts may be, and how deep lists may lie; the second where the first leaves too much. */
const CUTS = [
  { textMax: 1_024, depthMax: Number.POSITIVE_INFINITY },
  // Ids and types, and `response.output` without the lists of its items.
  { textMax: 64, depthMax: 3 },
]

function shrunkJson(
  value: unknown,
  { keepsWords, lengthMax = DATA_LENGTH_MAX }: { keepsWords: boolean; lengthMax?: number },
): string | undefined {
  if (!isJsonObject(value)) return undefined
  for (const cut of keepsWords ? CUTS.slice(0, 1) : CUTS) {
    const json = cutJson(value, cut, keepsWords)
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
  keepsWords: boolean,
): string {
  const depths = new WeakMap<object, number>()
  return JSON.stringify(value, function (this: object, name, member: unknown) {
    if (typeof member === 'string') return keepsWords && KEPT.has(name) ? member : member.slice(0, textMax)
    if (typeof member !== 'object' || member === null) return member
    const depth = (depths.get(this) ?? -1) + 1
    const kept = Array.isArray(member) ? member.slice(0, depth < depthMax ? LIST_LENGTH_MAX : 0) : member
    depths.set(kept, depth)
    return kept
  })
}
