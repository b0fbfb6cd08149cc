import { ChunkTemplate } from './chunk-template.ts'
import { isJsonObject, type JsonObject } from './json-object.ts'
import { parseOrNone } from './parse-or-none.ts'

/** Place of the text in the chunks of a dialect. */
export interface TextPlace {
  member: string
  /** The object with this member, in a chunk with one piece of text; undefined: the chunk has other content. */
  holderIn(body: JsonObject): JsonObject | undefined
  /** Members that differ in every chunk and that the caller does not read: the returned chunk has those of the sample. */
  ignored?: readonly string[]
}

/**
 * Reads the chunks of one stream. A chunk that differs from the template only in its text is not parsed: the reader puts
 * the text into the parsed sample and returns its object, which the caller must read immediately and not keep.
 */
export class ChunkReader {
  readonly #place: TextPlace
  readonly #template: ChunkTemplate
  /** The parsed sample, and the object in it that holds the text. */
  #sample: { body: JsonObject; holder: Record<string, unknown> } | undefined

  constructor(place: TextPlace) {
    this.#place = place
    this.#template = new ChunkTemplate(place.member, place.ignored)
  }

  /** undefined: the chunk is not JSON. */
  read(json: string): unknown {
    const text = this.#template.textOf(json)
    if (text !== undefined && this.#sample !== undefined) {
      this.#sample.holder[this.#place.member] = text
      return this.#sample.body
    }
    const body = parseOrNone(json)
    if (this.#template.takesSamples) this.#learn(json, body)
    return body
  }

  #learn(json: string, body: unknown): void {
    if (!isJsonObject(body)) return
    const { member, holderIn } = this.#place
    const holder = holderIn(body)
    if (typeof holder?.[member] === 'string' && this.#template.sample(json)) this.#sample = { body, holder }
  }
}
