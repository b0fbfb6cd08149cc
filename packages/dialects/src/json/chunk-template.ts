import { isEscaped } from './walk-members.ts'

/** Maximum number of samples of a stream. Afterwards chunks are still compared, with the last template. */
const SAMPLES_MAX = 8

/**
 * The JSON around the text of a chunk. Most chunks of a stream differ from the previous one only in their text, and
 * comparing the rest costs a tenth of parsing.
 */
export class ChunkTemplate {
  /** The chunk up to the text, with its opening quote; empty until a sample was taken. */
  before = ''
  /** The chunk from the closing quote of the text on. */
  after = ''
  /** `before` and `after`, split at the ignored values; `#textAfter` is the index of the part before the text. */
  #parts: readonly string[] = []
  #textAfter = 0
  #samples = 0
  readonly #member: string
  readonly #ignored: RegExp

  /** `member` is the name of the text in every chunk. Numbers and strings of the members `ignored` may differ too. */
  constructor(member: string, ignored: readonly string[] = []) {
    this.#member = JSON.stringify(member)
    const names = ignored.length === 0 ? NOTHING : ignored.join('|')
    this.#ignored = new RegExp(`(?<="(?:${names})": ?)(?:"[^"\\\\]*"|\\d+(?=[,}\\s]))`)
  }

  get takesSamples(): boolean {
    return this.#samples < SAMPLES_MAX
  }

  /** Takes a chunk with one piece of text as the new template; returns false if the chunk cannot be a template. */
  sample(chunk: string): boolean {
    this.#samples += 1
    const member = this.#member
    const name = chunk.indexOf(member)
    const colon = name + member.length
    const opening = chunk[colon + 1] === ' ' ? colon + 2 : colon + 1
    // A second member of this name may be the one that counts. The check for backslashes finds its other spellings.
    if (name === -1 || name !== chunk.lastIndexOf(member) || chunk[colon] !== ':' || chunk[opening] !== '"')
      return false
    let closing = chunk.indexOf('"', opening + 1)
    while (closing !== -1 && isEscaped(chunk, closing)) closing = chunk.indexOf('"', closing + 1)
    const [before, after] = [chunk.slice(0, opening + 1), chunk.slice(closing)]
    if (closing === -1 || before.includes('\\') || after.includes('\\')) return false
    this.before = before
    this.after = after
    const head = before.split(this.#ignored)
    this.#textAfter = head.length - 1
    this.#parts = [...head, ...after.split(this.#ignored)]
    return true
  }

  /** The text of a chunk; undefined: the chunk differs elsewhere as well, or the text has to be unescaped. */
  textOf(chunk: string): string | undefined {
    const parts = this.#parts
    let text: string | undefined
    let at = 0
    for (let index = 0; index < parts.length; index += 1) {
      const part = parts[index] ?? ''
      const end = at + part.length
      // V8 compares two strings five times as fast as it looks for the beginning or the end of one.
      if (chunk.slice(at, end) !== part) return undefined
      if (index === parts.length - 1) return end === chunk.length ? text : undefined
      if (index === this.#textAfter) {
        at = chunk.indexOf('"', end)
        text = chunk.slice(end, at)
        if (NOT_PLAIN.test(text)) return undefined
      } else at = endOfValue(chunk, end)
      if (at === -1) return undefined
    }
    return undefined
  }
}

/** A pattern that matches no name. */
const NOTHING = '(?!)'

/** Returns the end of a whole number or of a string without escapes; -1: the value is of another kind. */
function endOfValue(json: string, start: number): number {
  let at = start
  if (json[at] === '"') {
    at = json.indexOf('"', start + 1)
    return at === -1 || NOT_PLAIN.test(json.slice(start + 1, at)) ? -1 : at + 1
  }
  while (isDigit(json.charCodeAt(at))) at += 1
  return at === start || (json[start] === '0' && at > start + 1) ? -1 : at
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Characters that a JSON string escapes, or ends at: quote, backslash, and everything below the space. */
const NOT_PLAIN = /[^ !#-[\]-\uffff]/
