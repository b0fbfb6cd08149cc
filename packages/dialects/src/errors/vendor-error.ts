import { isJsonObject, type JsonObject } from '../json/json-object.ts'

/**
 * Reads a vendor's error of any dialect for a client: one short line without secrets and without the vendor's request
 * ids. Never empty.
 */
export function readVendorError(
  body: unknown,
  { hides = [] }: HidingOptions = {},
): { message: string; code: string | undefined } {
  const error = errorPartOf(body)
  return { message: redactedText(messageOf(error) ?? '', hides), code: codeOf(error) }
}

export interface HidingOptions {
  /** Secrets that are always removed: the vendor's address, and our keys for it. */
  hides?: readonly string[] | undefined
}

/** A vendor's text without secrets, for a client. Never empty. */
export function redactedText(text: string, hides: readonly string[]): string {
  return clean(hidden(text.slice(0, READ_CHARACTERS), hides)) || NO_REASON
}
const NO_REASON = 'The provider gave no reason.'

/**
 * Finds the error, also within a list: `{"error": ...}` of all dialects, `{"response": {"error": ...}}` of a failed
 * response, or the body itself. Only the outermost list is searched: a body may be nested too deep for recursion.
 */
export function errorPartOf(body: unknown): unknown {
  const first = Array.isArray(body) ? body[0] : body
  if (!isJsonObject(first)) return first
  const response = isJsonObject(first.response) ? first.response : undefined
  return first.error ?? response?.error ?? first
}

function messageOf(error: unknown, depth = 0): string | undefined {
  if (typeof error === 'string') return PAGE.test(error) ? undefined : error
  if (!isJsonObject(error)) return undefined
  for (const field of ['message', 'detail', 'msg', 'error_description', 'errors']) {
    const value = error[field]
    if (typeof value === 'string' && value !== '') return value
    if (depth === DEPTH_MAX) continue
    // Some frameworks answer with a list of findings, which some vendors put into the message of their error.
    const text = messageOf(Array.isArray(value) ? value[0] : value, depth + 1)
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

/** Enough for a list of findings inside the error's message. A body may be nested deeper than the stack allows. */
const DEPTH_MAX = 2

function codeOf(error: unknown): string | undefined {
  if (!isJsonObject(error)) return undefined
  for (const value of [error.code, error.type]) {
    if (typeof value === 'string' && CODE.test(value)) return value
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  }
  return undefined
}

/** An HTML page of a proxy has no message for a client. */
const PAGE = /^\s*<(?:!doctype|html|\?xml)/i

export const CODE = /^[\w.:-]{1,80}$/

/** Fields of a vendor's error for programs: clients of its own dialect act upon them. */
export interface VendorErrorFields {
  code?: string
  param?: string
  details?: JsonObject
}

/** Whether a value has this shape and no secret. Half a code is useless to a program, so a code with a secret is left out. */
export function isPublic(value: unknown, shape: RegExp, hides: readonly string[]): value is string {
  return typeof value === 'string' && shape.test(value) && redactedText(value, hides) === value
}

/** Reads the code and the parameter of dialects whose errors have them. */
export function readCodeAndParam({ code, param }: JsonObject, hides: readonly string[]): VendorErrorFields {
  return {
    ...(isPublic(code, CODE, hides) && !OPERATORS.test(code) ? { code } : {}),
    ...(isPublic(param, PARAM, hides) ? { param } : {}),
  }
}

/** Codes about the operator's key and balance at the vendor: clients would relate them to their own key. */
const OPERATORS = /api_key|quota|billing|account|organization/i
const PARAM = /^\P{Cc}{1,200}$/u

const READ_CHARACTERS = 4_000
const MESSAGE_CHARACTERS = 1_000

/** Longer secrets come first, since some are parts of others; very short secrets would redact ordinary words. */
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
  // Long mixed runs of letters and digits, which no word has.
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{32,}(?![\w-])/gi, '…'],
]

/** Keys in the form that vendors give them, also half hidden behind stars. */
const KEY = /\b(?:sk|pk|rk|ak|gsk|xai|key|token|ghp|hf|nvapi)[-_][\w*.-]*[\w*]/gi

/** `token_count` and `key-value` are words; a key is long, and has digits, capitals or stars. */
function redactKey(token: string): string {
  return /[\dA-Z*]/.test(token) && token.length >= 12 ? '…' : token
}

/** `Request id: 0217...`, `(request_id=...)`, `traceId 5f3c...`: any value after `:` or `=`, else one with a digit. */
const REQUEST_ID =
  / ?[([]?\b(?:request|req|trace|log|correlation|generation)[ _-]?id\b["']?(?: ?[:=：] ?["']?[\w.…-]+| (?=[\w-]*\d)[\w-]{6,})["']?[)\]]?\.?/gi

const BARE_REQUEST_ID = /\b(?:req|trace)[_-](?=[\w-]*\d)[\w-]{6,}/gi
