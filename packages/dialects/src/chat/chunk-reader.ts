import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { parseOrNone } from '../json/parse-or-none.ts'
import { ChunkTemplate } from './chunk-template.ts'

/**
 * Reads the chunks of one stream. A chunk that differs from the template only in its text is not parsed: the reader
 * returns the object of the sample with the new text in it, so the caller must read it at once and keep nothing of it.
 */
export class ChunkReader {
  readonly #template = new ChunkTemplate()
  /** The parsed sample, and the object in it that holds the text. */
  #sample: { body: JsonObject; delta: Record<string, unknown> } | undefined

  /** undefined: the chunk is no JSON. */
  read(json: string): unknown {
    const text = this.#template.textOf(json)
    if (text !== undefined && this.#sample !== undefined) {
      this.#sample.delta.content = text
      return this.#sample.body
    }
    const body = parseOrNone(json)
    if (this.#template.takesSamples) this.#learn(json, body)
    return body
  }

  #learn(json: string, body: unknown): void {
    const delta = deltaIn(body)
    if (delta !== undefined && isJsonObject(body) && this.#template.sample(json))
      this.#sample = { body, delta }
  }
}

/** The object with the text, in a chunk with one choice and one piece of text. */
function deltaIn(body: unknown): Record<string, unknown> | undefined {
  if (!isJsonObject(body) || !Array.isArray(body.choices) || body.choices.length !== 1) return undefined
  const [choice]: unknown[] = body.choices
  if (!isJsonObject(choice) || !isJsonObject(choice.delta)) return undefined
  return typeof choice.delta.content === 'string' ? choice.delta : undefined
}
