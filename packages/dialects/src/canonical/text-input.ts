import { isJsonObject } from '../json/json-object.ts'
import { parseOrNone } from '../json/parse-or-none.ts'

export interface TextInput {
  /** Takes more of the arguments; returns the free text that is certain by now. */
  push(json: string): string
  /** Ends the arguments; returns the rest of the text. */
  end(): string
}

/**
 * Reads the free text of a custom tool out of `{"input": "..."}` while it arrives. Arguments of another shape are read
 * when they are complete: a JSON string is the text, and without an `input` they themselves count as the text.
 */
export function createTextInput(): TextInput {
  let state: 'before' | 'inside' | 'after' | 'elsewhere' = 'before'
  /** In the states `before` and `elsewhere`: all arguments so far. In `inside`: an incomplete escape. */
  let rest = ''
  /** The first half of a surrogate pair whose second half is still to come. */
  let half = ''

  const read = (json: string): string => {
    const spelled = rest + json
    const end = endOfString(spelled)
    if (end.isQuote) state = 'after'
    rest = end.isQuote ? '' : spelled.slice(end.at)
    const text = half + unescaped(spelled.slice(0, end.at))
    half = !end.isQuote && isFirstHalf(text.charCodeAt(text.length - 1)) ? text.slice(-1) : ''
    return half === '' ? text : text.slice(0, -1)
  }

  return {
    push(json) {
      if (state === 'inside') return read(json)
      if (state === 'after') return ''
      rest += json
      if (state === 'elsewhere') return ''
      const opening = OPENING.exec(rest)
      if (opening === null) {
        if (rest.length > OPENING_CHARACTERS) state = 'elsewhere'
        return ''
      }
      const text = rest.slice(opening[0].length)
      rest = ''
      state = 'inside'
      return read(text)
    },
    end() {
      return state === 'inside' || state === 'after' ? half : inputOf(rest)
    },
  }
}

const OPENING = /^\s*\{\s*"input"\s*:\s*"/

/** An object whose text does not begin within this length has another shape. */
const OPENING_CHARACTERS = 200

/** The end of the readable text: the closing quote, the beginning of an incomplete escape, or the end of `spelled`. */
function endOfString(spelled: string): { at: number; isQuote: boolean } {
  let quote = spelled.indexOf('"')
  let backslash = spelled.indexOf('\\')
  while (backslash !== -1 && (quote === -1 || backslash < quote)) {
    const after = backslash + (spelled.charAt(backslash + 1) === 'u' ? 6 : 2)
    if (after > spelled.length) return { at: backslash, isQuote: false }
    if (quote !== -1 && quote < after) quote = spelled.indexOf('"', after)
    backslash = spelled.indexOf('\\', after)
  }
  return quote === -1 ? { at: spelled.length, isQuote: false } : { at: quote, isQuote: true }
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/gs
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/** More lenient than JSON: models leave line ends unescaped, and escape what needs no escape. */
function unescaped(spelled: string): string {
  if (!spelled.includes('\\')) return spelled
  return spelled.replace(ESCAPE, (_escape, code: string | undefined, letter: string) =>
    code === undefined ? (ESCAPED[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function inputOf(json: string): string {
  const value = parseOrNone(json)
  if (isJsonObject(value) && typeof value.input === 'string') return value.input
  return typeof value === 'string' ? value : json
}
