import { INVALID_JSON, RequestError } from '../request-error.ts'
import { findFault } from './find-fault.ts'
import { countValues, TOO_DEEP, UNSTORABLE, type Unstorable } from './json-bounds.ts'
import { parseText } from './parse-text.ts'

const DEPTH_MAX = 64

const TOO_DEEP_MESSAGE = `body must not be nested deeper than ${DEPTH_MAX} levels`
const UNSTORABLE_MESSAGE = 'body must not contain U+0000 or lone surrogates'

interface ParseRules {
  nul: Unstorable
  valuesMax: number
  /** Refuses a member that is given twice: the vendor of a forwarded body may read another value than the gateway. */
  membersOnce?: boolean
}

/** Parses bytes that are known to be UTF-8; throws `invalid_json`. */
export function parseJson(bytes: Buffer, rules: ParseRules): unknown {
  const parsed = parseWithin(bytes, rules)
  if (parsed === undefined) throw tooManyValues(rules.valuesMax)
  return parsed.value
}

/**
 * Parses bytes; undefined when they hold more than `valuesMax` values. Size and depth are checked before the parser, which
 * builds whatever it gets. `JSON.parse` makes `__proto__` an ordinary key and keeps the last of two equal keys: both are
 * harmless here. Its error message quotes the body, so the client gets only the position of the fault.
 */
export function parseWithin(
  bytes: Buffer,
  { nul, valuesMax, membersOnce = false }: ParseRules,
): { value: unknown } | undefined {
  if (startsWithByteOrderMark(bytes)) throw noJson(bytes)
  const longStrings: number[] = []
  const values = countValues(bytes, { depthMax: DEPTH_MAX, valuesMax, nul, longStrings })
  if (values > valuesMax) return undefined
  if (values === TOO_DEEP) throw new RequestError('invalid_json', { message: TOO_DEEP_MESSAGE })
  if (values === UNSTORABLE) {
    // If the bytes are not JSON either, the error names the position of that fault. No valid body is checked twice.
    if (parseWithin(bytes, { nul: 'pass', valuesMax }) === undefined) return undefined
    throw new RequestError('invalid_json', { message: UNSTORABLE_MESSAGE })
  }
  const value = parse(bytes, longStrings)
  if (membersOnce && countOf(value) < values) throw givenTwice(bytes)
  return { value }
}

function givenTwice(bytes: Buffer): RequestError {
  const name = findRepeatedName(bytes.toString('utf8'))
  return name === undefined
    ? new RequestError('invalid_parameter', { message: 'A member must not be given twice in one object.' })
    : new RequestError('invalid_parameter', { message: `${name} must be given once`, param: name })
}

/** Parses bytes that were checked before. */
export function parseAgain(bytes: Buffer): unknown {
  const longStrings: number[] = []
  countValues(bytes, { depthMax: DEPTH_MAX, valuesMax: VALUES_MAX, nul: 'pass', longStrings })
  return parseText(bytes, longStrings)
}

/** Counts the values of a parsed body as `countValues` does, without members that a later duplicate replaced. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  if (Array.isArray(value)) for (let at = 0; at < value.length; at += 1) count += countOf(value[at])
  else for (const name in value) count += countOf(value[name as keyof typeof value])
  return count === 1 ? 2 : count
}

/** Error for too many values; the rest of the bytes was not validated. */
function tooManyValues(valuesMax: number): RequestError {
  return new RequestError('invalid_json', { message: `body must not hold more than ${valuesMax} values` })
}

function parse(bytes: Buffer, longStrings: readonly number[]): unknown {
  try {
    return parseText(bytes, longStrings)
  } catch {
    throw noJson(bytes)
  }
}

function noJson(bytes: Buffer): RequestError {
  const place = findFault(bytes)
  return new RequestError('invalid_json', { message: INVALID_JSON, place })
}

function startsWithByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

/** Beyond this length an error has no name: the search would take too long. */
const SEARCHED_LENGTH_MAX = 64 * 1024
const NAME_LENGTH_MAX = 100

/** The first name that is given twice in one object of valid JSON. */
export function findRepeatedName(json: string): string | undefined {
  if (json.length > SEARCHED_LENGTH_MAX) return undefined
  const open: (Set<string> | undefined)[] = []
  let isName = false
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined)
    else if (token === '}' || token === ']') open.pop()
    if (token.length > 1 && isName) {
      const name = String(JSON.parse(token))
      const names = open.at(-1)
      if (names?.has(name) === true) return name.slice(0, NAME_LENGTH_MAX)
      names?.add(name)
    }
    isName = token === '{' || (token === ',' && open.at(-1) !== undefined)
  }
  return undefined
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs

/**
 * Limits of the work of the main thread for a body. A value costs as much time as hundreds of bytes of text, so both are
 * limited; a larger text body is read on another thread.
 */
export const LIGHT_BYTES_MAX = 256 * 1024
export const LIGHT_VALUES_MAX = 8_192

/** Maximum number of values of any body; the longest conversations of agents have a tenth of it. */
export const VALUES_MAX = 262_144
