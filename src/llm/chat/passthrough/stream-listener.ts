import { isJsonObject, type JsonObject } from '../../../domain/json-object.ts'
import type { ReplyTokens, StreamError } from '../../canonical/reply-event.ts'
import { failureOfError } from '../../failure-of-error.ts'
import { errorEdits } from '../../passthrough/error-edits.ts'
import { joinLines, SILENT } from '../../passthrough/inspect-frame.ts'
import { type FrameLine, readFrame } from '../../passthrough/read-frame.ts'
import type { IdListening } from '../../passthrough/reply-ids.ts'
import { type Edit, spliceBytes } from '../../passthrough/splice-bytes.ts'
import type {
  FrameInfo,
  FramePlace,
  HeardFrame,
  ListenerOptions,
  StreamEnd,
  StreamListener,
} from '../../passthrough/stream-listener.ts'
import { walkMembers } from '../../passthrough/walk-members.ts'
import { isNonEmptyArray, objectsIn, parseOrNone } from '../../values/values.ts'
import type { HidingOptions } from '../../vendor-error.ts'
import { errorIn } from '../error-in.ts'
import { asksForUsage } from '../read-request.ts'
import { ChatCount } from '../read-usage.ts'
import { DONE, failureFrame, KEEP_ALIVE } from '../write-stream.ts'
import { bytesSaid } from './said-bytes.ts'

/**
 * Listens to a stream of chunks, which have no names: every chunk names the model, the last one counts, `[DONE]` ends it.
 * Most chunks differ from the one before only in their text, and then only what stands around it is compared.
 */
export class ChatListener implements StreamListener {
  readonly failing: StreamError | undefined
  readonly hostedCalls = 0
  /** No event begins so: each chunk needs its model replaced. */
  readonly deltaHead = '\0'
  hasFinished = false
  reasoning: { proofBytes: number } | undefined
  readonly #count: ChatCount
  /** More than one choice: a count beside a choice may be for that choice alone. */
  #hasMany: boolean
  /** Of a chunk without a choice. */
  #countedAlone: number | undefined
  #mould: Mould | undefined
  #lessons = 0
  readonly #wantsUsage: boolean
  readonly #hiding: HidingOptions
  readonly #ids: IdListening | undefined

  constructor(options: ListenerOptions) {
    this.#hiding = options
    this.#ids = options.ids
    const { asked = {} } = options
    this.#wantsUsage = asksForUsage(asked)
    this.#hasMany = Number(asked.n) > 1
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

  use(): undefined {
    return undefined
  }

  deltaBytes(): number {
    return 0
  }

  hear(): FrameInfo | undefined {
    return undefined
  }

  notice(): void {}

  keepAlive(): string {
    return KEEP_ALIVE
  }

  lastWords(failure: StreamError): string {
    return failureFrame(failure)
  }

  /** Some vendors leave `[DONE]` out: a reply that has its `finish_reason` is whole all the same. */
  atClose(): string | undefined {
    return this.hasFinished ? DONE : undefined
  }

  inspect(place: FramePlace, edits: Edit[]): HeardFrame | undefined {
    const { bytes, text, start, end } = place
    const alike = this.#readAlike(place, edits)
    if (alike !== undefined) return alike
    const { name, lines } = readFrame(text, start, end)
    if (lines.length === 0) return SILENT
    const data = joinLines(bytes, lines).trim()
    if (data.startsWith('[DONE]')) return { outputBytes: 0, end: { kind: 'ended' } }
    // Some vendors keep the line open with events of nothing.
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

  /** The client did not ask for it: the gateway did, to know the cost. */
  #isUsageAlone({ choices, usage }: JsonObject): boolean {
    return !this.#wantsUsage && isJsonObject(usage) && !isNonEmptyArray(choices)
  }

  #takeChoices({ choices }: JsonObject): number {
    let outputBytes = 0
    for (const choice of objectsIn(choices)) {
      if (Number(choice.index) > 0) this.#hasMany = true
      if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') this.hasFinished = true
      const said = choice.delta ?? choice.message
      if (!isJsonObject(said)) continue
      outputBytes += bytesSaid(said)
      if (said.reasoning_content || said.reasoning || said.reasoning_details)
        this.reasoning ??= { proofBytes: 0 }
      if (isJsonObject(said.audio) && typeof said.audio.id === 'string') this.#ids?.keep([said.audio.id])
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
    // Data over several lines cannot be edited where it stands: the lines' own beginnings are in between.
    const data = Buffer.from(joinLines(bytes, lines))
    const json = data.toString('latin1')
    const edited = spliceBytes(data, chunkEdits(json, json.indexOf('{'), { model, hides })).toString('utf8')
    edits.push({ start, end, text: `data: ${edited.replaceAll('\n', '\ndata: ')}\n\n` })
  }

  /** Reads the chunks from here on that are like the one that was learned; undefined: this one has to be read. */
  #readAlike({ text, start, end, hasReturns }: FramePlace, edits: Edit[]): HeardFrame | undefined {
    const mould = this.#mould
    if (mould === undefined || hasReturns) return undefined
    const { before, after, between, model } = mould
    if (text.slice(start, start + before.length) !== before) return undefined
    let outputBytes = 0
    let through = start
    for (let isAlike = true; isAlike; ) {
      const from = through + before.length
      const quote = text.indexOf('"', from)
      const afterEnd = quote + after.length
      // An escaped quote is no end: such a chunk is read.
      if (quote === -1 || text.charCodeAt(quote - 1) === BACKSLASH) break
      // One comparison for the end of this chunk and the beginning of the next.
      isAlike = !mould.isPadded && text.slice(quote, quote + between.length) === between
      if (!isAlike && text.slice(quote, afterEnd) !== after) break
      const chunkEnd = mould.isPadded ? end : afterEnd
      const lineEnd = text.indexOf('\n', from)
      if (lineEnd !== chunkEnd - 2 || afterEnd > chunkEnd || chunkEnd - through > ALIKE_BYTES_MAX) break
      if (mould.isPadded && !text.startsWith('"}', lineEnd - 2)) break
      edits.push({ start: through + mould.modelStart, end: through + mould.modelEnd, text: model })
      outputBytes += quote - from
      through = chunkEnd
    }
    return through === start ? undefined : { outputBytes, end: undefined, through }
  }

  /** Learns from a chunk of nothing but one piece of text. Padding behind it differs in every chunk. */
  #learn(place: FramePlace, lines: readonly FrameLine[], chunk: JsonObject): void {
    const [line] = lines
    if (this.#lessons >= LESSONS_MAX || lines.length !== 1 || line === undefined || !saysTextAlone(chunk))
      return
    this.#lessons += 1
    const text = place.text.slice(place.start, place.end)
    const at = text.indexOf(CONTENT)
    const from = at + CONTENT.length
    const quote = text.indexOf('"', from)
    // Said twice, it may be another member that counts: that is not learned from.
    if (at === -1 || text.includes(CONTENT, from)) return
    const found = placeOfModel(text, text.indexOf('{', line.start - place.start))
    const before = text.slice(0, from)
    if (found === undefined || found.end > from || before.includes('\\') || quote === -1) return
    const padding = text.indexOf(PADDING, quote)
    const isPadded = padding !== -1
    const after = text.slice(quote, isPadded ? padding + PADDING.length : undefined)
    if (after.includes('\\')) return
    this.#mould = {
      ...{ before, after, between: after + before, isPadded },
      ...{ model: JSON.stringify(place.model), modelStart: found.start, modelEnd: found.end },
    }
  }
}

/** A chunk that says one piece of text, cut around that piece. */
interface Mould {
  before: string
  after: string
  /** What stands between the texts of two such chunks. */
  between: string
  /** What stands behind `after` is as long as it likes. */
  isPadded: boolean
  /** What the client calls the model, as JSON, and where the vendor's name for it stands. */
  model: string
  modelStart: number
  modelEnd: number
}

const LESSONS_MAX = 8
/** Longer chunks are read one by one, so that each is measured. */
const ALIKE_BYTES_MAX = 16 * 1024
const BACKSLASH = 0x5c
const CONTENT = '"content":"'
/** One vendor hides the length of its words by padding. */
const PADDING = '"obfuscation":"'

function saysTextAlone({ choices, usage }: JsonObject): boolean {
  const [choice, ...more] = objectsIn(choices)
  if (choice === undefined || more.length > 0 || isJsonObject(usage) || choice.finish_reason) return false
  const { delta } = choice
  return isJsonObject(delta) && Object.keys(delta).length === 1 && typeof delta.content === 'string'
}

function placeOfModel(text: string, opening: number): { start: number; end: number } | undefined {
  let place: { start: number; end: number } | undefined
  walkMembers(text, opening, (name, start, end) => {
    if (name === 'model') place = { start, end }
    return name === 'model'
  })
  return place
}

/** What has to change in a chunk: the model's name, and what an error's words must not tell. */
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
