import type { ReplyTokens, StreamError } from '../../canonical/reply-event.ts'
import { failureOfError } from '../../errors/failure-of-error.ts'
import type { HidingOptions } from '../../errors/vendor-error.ts'
import { ChunkTemplate } from '../../json/chunk-template.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { parseOrNone } from '../../json/parse-or-none.ts'
import { walkMembers } from '../../json/walk-members.ts'
import { errorEdits } from '../../passthrough/error-edits.ts'
import type { ValueRange } from '../../passthrough/find-model.ts'
import { joinLines, SILENT } from '../../passthrough/inspect-frame.ts'
import { type FrameLine, readFrame } from '../../passthrough/read-frame.ts'
import type { IdCollector } from '../../passthrough/reply-ids.ts'
import { type Edit, spliceBytes } from '../../passthrough/splice-bytes.ts'
import type {
  ChunkListener,
  FramePlace,
  InspectedFrame,
  ListenerOptions,
  StreamEnd,
} from '../../passthrough/stream-listener.ts'
import { isNonEmptyArray, objectsIn } from '../../values/values.ts'
import { errorIn } from '../error-in.ts'
import { asksForUsage } from '../read-request.ts'
import { ChatCount } from '../read-usage.ts'
import { DONE, failureFrame, KEEP_ALIVE } from '../write-stream.ts'
import { contentBytes } from './content-bytes.ts'

/**
 * Inspects a stream of chunks: every chunk names the model, the last one has the usage, and `[DONE]` ends the stream.
 * Chunks that differ from the template only in their text are compared with it and not parsed.
 */
export class ChatListener implements ChunkListener {
  hasFinished = false
  reasoning: { proofCharacters: number } | undefined
  readonly #count: ChatCount
  /** Whether there is more than one choice: a count beside a choice may be for that choice alone. */
  #hasMany: boolean
  /** Output tokens that a chunk without choices reported. */
  #countedAlone: number | undefined
  readonly #template = new ChunkTemplate('content')
  #alike: AlikeChunks | undefined
  readonly #wantsUsage: boolean
  readonly #hiding: HidingOptions
  readonly #ids: IdCollector | undefined

  constructor(options: ListenerOptions) {
    this.#hiding = options
    this.#ids = options.ids
    const { request = {} } = options
    this.#wantsUsage = asksForUsage(request)
    this.#hasMany = Number(request.n) > 1
    this.#count = new ChatCount({ hasMany: this.#hasMany })
  }

  get tokens(): ReplyTokens | undefined {
    return this.#count.atEnd
  }

  get vendorUsage(): unknown {
    return this.#count.vendorUsage
  }

  get countedOutput(): number | undefined {
    return this.#hasMany ? this.#countedAlone : this.#count.tokens?.output
  }

  keepAlive(): string {
    return KEEP_ALIVE
  }

  failureEvents(failure: StreamError): string {
    return failureFrame(failure)
  }

  /** Some vendors leave `[DONE]` out: a reply with a `finish_reason` is whole nevertheless. */
  atClose(): string | undefined {
    return this.hasFinished ? DONE : undefined
  }

  inspect(place: FramePlace, edits: Edit[]): InspectedFrame | undefined {
    const { bytes, text, start, end } = place
    const alike = this.#readAlike(place, edits)
    if (alike !== undefined) return alike
    const { name, lines } = readFrame(text, start, end)
    if (lines.length === 0) return SILENT
    const data = joinLines(bytes, lines).trim()
    if (data.startsWith('[DONE]')) return { outputBytes: 0, end: { kind: 'ended' } }
    // Some vendors keep the connection open with empty events.
    if (data === '') return SILENT
    const chunk = parseOrNone(data)
    if (!isJsonObject(chunk)) return undefined
    const failed = this.#failureIn(chunk, name === 'error')
    if (this.#count.add(chunk) && !isNonEmptyArray(chunk.choices))
      this.#countedAlone = this.#count.tokens?.output
    if (this.#isUsageAlone(chunk) && failed === undefined) {
      edits.push({ start, end, text: '' })
      return SILENT
    }
    this.#edit(place, lines, edits)
    const outputBytes = this.#takeChoices(chunk)
    if (failed === undefined) this.#learn(place, lines, chunk)
    return { outputBytes, end: failed }
  }

  #failureIn(chunk: JsonObject, isError: boolean): StreamEnd | undefined {
    const error = isError ? chunk : errorIn(chunk)
    return error === undefined ? undefined : { kind: 'failed', failure: failureOfError(error, this.#hiding) }
  }

  /** Whether a chunk has only the usage, and the gateway asked for it, not the client. */
  #isUsageAlone({ choices, usage }: JsonObject): boolean {
    return !this.#wantsUsage && isJsonObject(usage) && !isNonEmptyArray(choices)
  }

  #takeChoices({ choices }: JsonObject): number {
    let outputBytes = 0
    for (const choice of objectsIn(choices)) {
      if (Number(choice.index) > 0) this.#hasMany = true
      if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') this.hasFinished = true
      const delta = choice.delta ?? choice.message
      if (!isJsonObject(delta)) continue
      outputBytes += contentBytes(delta)
      if (HIDES_TOKENS.some((name) => delta[name])) this.reasoning ??= { proofCharacters: 0 }
      if (isJsonObject(delta.audio) && typeof delta.audio.id === 'string') this.#ids?.keep([delta.audio.id])
    }
    return outputBytes
  }

  #edit(
    { bytes, text, start, end, model, hides }: FramePlace,
    lines: readonly FrameLine[],
    edits: Edit[],
  ): void {
    const [line] = lines
    if (line !== undefined && lines.length === 1) {
      for (const edit of chunkEdits(text, text.indexOf('{', line.start), { model, hides })) edits.push(edit)
      return
    }
    // Data over several lines cannot be edited in place: the beginnings of the lines are in between.
    const data = Buffer.from(joinLines(bytes, lines))
    const json = data.toString('latin1')
    const edited = spliceBytes(data, chunkEdits(json, json.indexOf('{'), { model, hides })).toString('utf8')
    edits.push({ start, end, text: `data: ${edited.replaceAll('\n', '\ndata: ')}\n\n` })
  }

  /** Reads the following chunks as long as they match the template; undefined: the first one has to be parsed. */
  #readAlike({ text, start, end, hasReturns }: FramePlace, edits: Edit[]): InspectedFrame | undefined {
    const alike = this.#alike
    if (alike === undefined || hasReturns) return undefined
    const { before, after, between, isPadded, model } = alike
    if (text.slice(start, start + before.length) !== before) return undefined
    let outputBytes = 0
    let through = start
    for (let isAlike = true; isAlike; ) {
      const from = through + before.length
      const quote = text.indexOf('"', from)
      const afterEnd = quote + after.length
      // An escaped quote does not end the text: such a chunk is parsed.
      if (quote === -1 || text.charCodeAt(quote - 1) === BACKSLASH) break
      // One comparison covers the end of this chunk and the beginning of the next.
      isAlike = !isPadded && text.slice(quote, quote + between.length) === between
      if (!isAlike && text.slice(quote, afterEnd) !== after) break
      const chunkEnd = isPadded ? end : afterEnd
      const lineEnd = text.indexOf('\n', from)
      if (lineEnd !== chunkEnd - 2 || afterEnd > chunkEnd || chunkEnd - through > ALIKE_BYTES_MAX) break
      if (isPadded && !text.startsWith('"}', lineEnd - 2)) break
      edits.push({ start: through + alike.modelStart, end: through + alike.modelEnd, text: model })
      outputBytes += quote - from
      through = chunkEnd
    }
    return through === start ? undefined : { outputBytes, end: undefined, through }
  }

  /** Learns from a chunk that has only one piece of text. The padding behind it differs in every chunk. */
  #learn(place: FramePlace, lines: readonly FrameLine[], chunk: JsonObject): void {
    const [line] = lines
    if (!this.#template.takesSamples || lines.length !== 1 || line === undefined || !hasOnlyText(chunk))
      return
    const text = place.text.slice(place.start, place.end)
    if (!this.#template.sample(text)) return
    const { before } = this.#template
    const found = modelRangeIn(text, text.indexOf('{', line.start - place.start))
    if (found === undefined || found.end > before.length) return
    const padding = this.#template.after.indexOf(PADDING)
    const isPadded = padding !== -1
    const after = isPadded ? this.#template.after.slice(0, padding + PADDING.length) : this.#template.after
    this.#alike = {
      before,
      after,
      between: after + before,
      isPadded,
      model: JSON.stringify(place.model),
      modelStart: found.start,
      modelEnd: found.end,
    }
  }
}

/** A chunk around its text, for comparing many chunks in one buffer. */
interface AlikeChunks {
  before: string
  after: string
  /** Everything between the texts of two such chunks: JSON, a blank line, and `data: `. */
  between: string
  /** Padding of any length follows `after`. */
  isPadded: boolean
  /** The client's name of the model as JSON, and the range of the vendor's name. */
  model: string
  modelStart: number
  modelEnd: number
}

/** Longer chunks are read one by one, so that the size of each is checked. */
const ALIKE_BYTES_MAX = 16 * 1024

/** Members whose tokens do not show in the text of a reply: only the vendor's count has them. */
const HIDES_TOKENS = ['reasoning_content', 'reasoning', 'reasoning_details', 'audio', 'images'] as const

const BACKSLASH = 0x5c

/** One vendor hides the length of its text by padding. */
const PADDING = '"obfuscation":"'

function hasOnlyText({ choices, usage }: JsonObject): boolean {
  const [choice, ...more] = objectsIn(choices)
  if (choice === undefined || more.length > 0 || isJsonObject(usage) || choice.finish_reason) return false
  const { delta } = choice
  return isJsonObject(delta) && Object.keys(delta).length === 1 && typeof delta.content === 'string'
}

function modelRangeIn(text: string, opening: number): ValueRange | undefined {
  let range: ValueRange | undefined
  walkMembers(text, opening, (name, start, end) => {
    if (name === 'model') range = { start, end }
    return name === 'model'
  })
  return range
}

/** Edits for a chunk: the model's name, and secrets in an error. */
function chunkEdits(
  text: string,
  opening: number,
  { model, hides }: { model: string; hides: readonly string[] },
): Edit[] {
  const edits: Edit[] = []
  walkMembers(text, opening, (name, start, end) => {
    if (name === 'model') edits.push({ start, end, text: JSON.stringify(model) })
    else if (name === 'error' && text[start] === '{')
      for (const edit of errorEdits(text, start, hides)) edits.push(edit)
    return false
  })
  return edits
}
