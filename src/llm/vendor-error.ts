import { isJsonObject, type JsonObject } from '../domain/json-object.ts'

/**
 * What a vendor of any dialect says in an error, fit for a client to read: one short line, without request ids, which
 * are between the vendor and us, and without anything that opens a door. Never empty.
 */
export function readVendorError(
  body: unknown,
  { hides = [] }: HidingOptions = {},
): { message: string; code: string | undefined } {
  const told = tellingPartOf(body)
  return { message: cleanWords(messageOf(told) ?? '', hides), code: codeOf(told) }
}

export interface HidingOptions {
  /** What must not be told, whatever it looks like: the vendor's address, and our keys for it. */
  hides?: readonly string[] | undefined
}

/** A vendor's words, fit for a client to read. Never empty. */
export function cleanWords(words: string, hides: readonly string[]): string {
  return clean(hidden(words.slice(0, READ_CHARACTERS), hides)) || UNTOLD
}

const UNTOLD = 'The provider gave no reason.'

/**
 * `{"error": ...}` of all three dialects, `{"response": {"error": ...}}` of a failed response, or the body itself; any of
 * them may stand in a list. Only the outermost list is looked into: a body may be nested deeper than a stack is.
 */
export function tellingPartOf(body: unknown): unknown {
  const first = Array.isArray(body) ? body[0] : body
  if (!isJsonObject(first)) return first
  const response = isJsonObject(first.response) ? first.response : undefined
  return first.error ?? response?.error ?? first
}

function messageOf(told: unknown, depth = 0): string | undefined {
  if (typeof told === 'string') return PAGE.test(told) ? undefined : told
  if (!isJsonObject(told)) return undefined
  for (const field of ['message', 'detail', 'msg', 'error_description', 'errors']) {
    const value = told[field]
    if (typeof value === 'string' && value !== '') return value
    if (depth === DEPTH_MAX) continue
    // Some frameworks answer with a list of findings, and some vendors with that in place of their words.
    const text = messageOf(Array.isArray(value) ? value[0] : value, depth + 1)
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

/** Findings in details in a message; a body may be nested deeper than a stack is. */
const DEPTH_MAX = 2

function codeOf(told: unknown): string | undefined {
  if (!isJsonObject(told)) return undefined
  for (const value of [told.code, told.type]) {
    if (typeof value === 'string' && CODE.test(value)) return value
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  }
  return undefined
}

/** A proxy's page for people tells a client nothing. */
const PAGE = /^\s*<(?:!doctype|html|\?xml)/i

export const CODE = /^[\w.:-]{1,80}$/

/** What a vendor's error tells programs: clients of its own dialect act upon it. */
export interface VendorErrorFields {
  code?: string
  param?: string
  details?: JsonObject
}

/** Half a code tells a program nothing, so one that has something to hide is not told at all. */
export function isPlain(value: unknown, shape: RegExp, hides: readonly string[]): value is string {
  return typeof value === 'string' && shape.test(value) && cleanWords(value, hides) === value
}

/** The code and the parameter, of the dialects whose errors have them. */
export function readCodeAndParam({ code, param }: JsonObject, hides: readonly string[]): VendorErrorFields {
  return {
    ...(isPlain(code, CODE, hides) && !OPERATORS.test(code) ? { code } : {}),
    ...(isPlain(param, PARAM, hides) ? { param } : {}),
  }
}

/** About the key and the money that the operator has there: a client would take them for its own. */
const OPERATORS = /api_key|quota|billing|account|organization/i
const PARAM = /^\P{Cc}{1,200}$/u

const READ_CHARACTERS = 4_000
const MESSAGE_CHARACTERS = 1_000

/** The longer ones first, since some are parts of others; very short ones would blot out common words. */
function hidden(text: string, hides: readonly string[]): string {
  const spelled = hides
    .filter(({ length }) => length >= HIDDEN_CHARACTERS_MIN)
    .toSorted((one, other) => other.length - one.length)
    .map((value) => value.replace(/[^\p{L}\p{N}]/gu, '\\$&'))
  return spelled.length === 0 ? text : text.replace(new RegExp(spelled.join('|'), 'gi'), '…')
}

const HIDDEN_CHARACTERS_MIN = 6

function clean(text: string): string {
  let line = text.toWellFormed().replace(INVISIBLE, ' ').replace(/\s+/g, ' ')
  for (const [pattern, replacement] of SECRETS) line = line.replace(pattern, replacement)
  line = line.replace(KEY, redactKey)
  line = line.replace(REQUEST_ID, '').replace(BARE_REQUEST_ID, '…').trim()
  if (line.length <= MESSAGE_CHARACTERS) return line
  return `${line.slice(0, MESSAGE_CHARACTERS - 1).toWellFormed()}…`
}

/** Control characters, and those that turn the direction of the text around. */
const INVISIBLE = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

const SECRETS: readonly [pattern: RegExp, replacement: string][] = [
  // Credentials before the host, and whatever a query or fragment may have signed.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"'<>]*@/gi, '$1'],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>()]+)[?#][^\s"'<>()]*/gi, '$1'],
  [/\b(bearer|basic)\s+[\w.~+/=*-]{6,}/gi, '$1 …'],
  [/\bAIza[\w-]{10,}/g, '…'],
  [/\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g, '…'],
  [
    /\b((?:api|access|secret|auth)[ _-]?(?:key|token)["']?(?: provided)?\s*[:=]\s*["']?)[^\s"',;)]*[^\s"',;).]/gi,
    '$1…',
  ],
  // Long runs of letters and digits mixed: no word looks like that.
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{32,}(?![\w-])/gi, '…'],
]

/** As vendors mint them, also half hidden behind stars. */
const KEY = /\b(?:sk|pk|rk|ak|gsk|xai|key|token|ghp|hf|nvapi)[-_][\w*.-]*[\w*]/gi

/** `token_count` and `key-value` are words; a key has digits, capitals or stars, or is long. */
function redactKey(word: string): string {
  return /[\dA-Z*]/.test(word) && word.length >= 12 ? '…' : word
}

/** `Request id: 0217...`, `(request_id=...)`, `traceId 5f3c...`: after a mark anything, else only what has a digit. */
const REQUEST_ID =
  / ?[([]?\b(?:request|req|trace|log|correlation|generation)[ _-]?id\b["']?(?: ?[:=：] ?["']?[\w.…-]+| (?=[\w-]*\d)[\w-]{6,})["']?[)\]]?\.?/gi

const BARE_REQUEST_ID = /\b(?:req|trace)[_-](?=[\w-]*\d)[\w-]{6,}/gi
