import { isEscaped } from './walk-members.ts'

/** Number of samples that may differ outside the text before the stream is no longer compared. */
const SAMPLES_MAX = 8

/**
 * The JSON around the text of a chunk. Most chunks of a stream differ from the one before only in their text, and a
 * comparison of the rest costs a tenth of parsing it.
 */
export class ChunkTemplate {
  /** The chunk up to the text, with its opening quote; empty until a sample was taken. */
  before = ''
  /** The chunk from the closing quote of the text on. */
  after = ''
  #samples = 0
  readonly #member: string

  /** `member` is the name of the text in every chunk. */
  constructor(member: string) {
    this.#member = JSON.stringify(member)
  }

  get takesSamples(): boolean {
    return this.#samples < SAMPLES_MAX
  }

  /** Takes a chunk with one piece of text as the new template; returns whether it is one. */
  sample(chunk: string): boolean {
    this.#samples += 1
    const member = this.#member
    const name = chunk.indexOf(member)
    const colon = name + member.length
    const opening = chunk[colon + 1] === ' ' ? colon + 2 : colon + 1
    // A second member of this name, or another spelling of the name, may be the one that counts.
    if (name === -1 || name !== chunk.lastIndexOf(member) || chunk[colon] !== ':' || chunk[opening] !== '"')
      return false
    let closing = chunk.indexOf('"', opening + 1)
    while (closing !== -1 && isEscaped(chunk, closing)) closing = chunk.indexOf('"', closing + 1)
    const [before, after] = [chunk.slice(0, opening + 1), chunk.slice(closing)]
    if (closing === -1 || before.includes('\\') || after.includes('\\')) return false
    this.before = before
    this.after = after
    return true
  }

  /** The text of a chunk; undefined: the chunk differs elsewhere as well, or the text has to be unescaped. */
  textOf(chunk: string): string | undefined {
    const { before, after } = this
    const end = chunk.length - after.length
    // V8 compares two strings five times as fast as it looks for the beginning or the end of one.
    if (before === '' || end < before.length) return undefined
    if (chunk.slice(0, before.length) !== before || chunk.slice(end) !== after) return undefined
    const text = chunk.slice(before.length, end)
    return NOT_PLAIN.test(text) ? undefined : text
  }
}

/** Characters that a JSON string escapes, or ends at: quote, backslash, and everything below the space. */
const NOT_PLAIN = /[^ !#-[\]-\uffff]/
