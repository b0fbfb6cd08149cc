import { isJsonObject } from '@sluice/dialects/json/json-object'
import { ApiError } from '../../../domain/api-error.ts'
import {
  LANGUAGES,
  type Language,
  type VerificationRequest,
} from '../../../domain/assets/verification-request.ts'

/** The URL with added parameters must fit into one header and one request line. */
const CALLBACK_URL_LENGTH_MAX = 4_096

/** Reads the body of a new session. */
export function parseCreateSession(body: unknown): VerificationRequest {
  if (!isJsonObject(body)) {
    throw new ApiError('invalid_parameter', { message: 'The body must be a JSON object.' })
  }
  return { callbackUrl: parseCallbackUrl(body.callback_url), language: parseLanguage(body.lang) }
}

function parseCallbackUrl(value: unknown): string {
  const url = typeof value === 'string' ? value.trim() : value
  if (url === undefined || url === null || url === '') {
    throw new ApiError('missing_parameter', { param: 'callback_url', message: 'callback_url is required' })
  }
  if (typeof url === 'string' && isPlainHttpsUrl(url)) return url
  throw new ApiError('invalid_parameter', {
    param: 'callback_url',
    message: 'callback_url must be a valid https URL',
  })
}

/**
 * Two slashes, no backslash, no control character, no user name: the host that a person reads must be the host that
 * the browser opens. Private addresses are allowed, because only that browser opens them.
 */
function isPlainHttpsUrl(url: string): boolean {
  const parsed = /^https:\/\/[^/\\]/i.test(url) && !/[\\\p{Cc}]/u.test(url) ? URL.parse(url) : null
  if (parsed === null || parsed.href.length > CALLBACK_URL_LENGTH_MAX) return false
  return parsed.username === '' && parsed.password === ''
}

function parseLanguage(lang: unknown): Language {
  if (lang === undefined || lang === null || lang === '') return 'zh'
  const known = LANGUAGES.find((language) => language === lang)
  if (known !== undefined) return known
  throw new ApiError('invalid_parameter', { param: 'lang', message: 'lang must be zh, en, or zh-Hant' })
}
