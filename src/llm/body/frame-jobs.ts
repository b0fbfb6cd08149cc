import type { TextEndpoint } from '../../domain/catalog/dialects.ts'
import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'
import { inspectFrame, joinLines } from '../passthrough/inspect-frame.ts'
import { readFrame } from '../passthrough/read-frame.ts'
import { WORDS } from '../passthrough/reply-scanner.ts'
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

/** The data of a large event for a reader, without what readers drop. `repeats`: bytes of words that must have come before. */
export interface ShrunkFrame {
  data: string
  repeats: number
}

/**
 * Shrinks a large event that is put into another dialect. An envelope repeats the words that came before it, which are
 * taken out; other words have to fit. undefined: they do not.
 */
export function shrinkFrame(bytes: Buffer, _args: object): ShrunkFrame | undefined {
  const event = parseOrNone(bytes.toString('utf8'))
  const data = shrunkJson(event, { keepsWords: true })
  if (data !== undefined) return { data, repeats: 0 }
  if (!isJsonObject(event) || !isJsonObject(event.response)) return undefined
  const envelope = shrunkJson(event, { keepsWords: false })
  return envelope === undefined ? undefined : { data: envelope, repeats: responseBytes(event.response) }
}

const DATA_LENGTH_MAX = 256 * 1024
const TEXT_LENGTH_MAX = 1_024
const LIST_LENGTH_MAX = 1_024

function shrunkJson(value: unknown, { keepsWords }: { keepsWords: boolean }): string | undefined {
  if (!isJsonObject(value)) return undefined
  const json = JSON.stringify(value, (name, member: unknown) => {
    if (Array.isArray(member)) return member.slice(0, LIST_LENGTH_MAX)
    if (typeof member !== 'string' || (keepsWords && WORDS.has(name))) return member
    return member.slice(0, TEXT_LENGTH_MAX)
  })
  return json.length > DATA_LENGTH_MAX ? undefined : json
}
