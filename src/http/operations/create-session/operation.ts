import { isJsonObject } from '@sluice/dialects/json/json-object'
import { ApiError, invalidParameter } from '../../../domain/api-error.ts'
import {
  LANGUAGES,
  type Language,
  type VerificationRequest,
} from '../../../domain/assets/verification-request.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { HTTPS_URL_PATTERN } from '../../../domain/parse-https-url.ts'
import { clientOperation } from '../../operation.ts'
import { ASSETS_UNAVAILABLE } from '../get-asset/asset-schema.ts'

const Body = json.object(
  {
    callback_url: json.string({
      format: 'uri',
      pattern: `^${HTTPS_URL_PATTERN}$`,
      description:
        "HTTPS. The person's browser is sent here after the scan, with the result in the query. At most 4096 characters, as browsers spell it.",
    }),
    lang: json.nullish(
      json.oneOf(LANGUAGES, { default: 'zh', description: 'The language of the page that the person sees.' }),
    ),
  },
  { examples: [{ callback_url: 'https://example.com/verified', lang: 'en' }] },
)

export const createSession = clientOperation('createSession', 'POST /v1/video/assets/sessions', 'video', {
  summary: 'Start a verification',
  description:
    'Gives a link that a person opens on a phone for a live-face scan. Afterwards the browser is sent to `callback_url` with `resultCode`, which is `10000` after a success, and then with the `group_id` for the portraits of this person and the `consent_url`, a page where this person can take the consent back.',
  body: { schema: Body, limitBytes: 1024 * 1024 },
  replies: {
    200: {
      description: 'The link. A program that has it can act as the person: give it to that person only.',
      schema: json.object({
        object: json.literal('video.asset_session'),
        status: json.literal('pending'),
        h5_link: json.string({ description: 'The link works once, for about 30 minutes.' }),
      }),
    },
    400: {
      description:
        '`body must be valid JSON`, `callback_url is required`, `callback_url must be a valid https URL`, or `lang must be zh, en, or zh-Hant`.',
    },
    429: { description: 'Too many requests, or the vendor is busy.' },
    502: { description: 'The vendor failed.' },
    ...ASSETS_UNAVAILABLE,
  },
  async serve({ app }, { body, caller }, reply) {
    const request = parseCreateSession(body)
    const { link } = await app.startVerification({ request, caller })
    // No cache may keep the link.
    reply.header('cache-control', 'no-store')
    return { object: 'video.asset_session', status: 'pending', h5_link: link }
  },
})

/** The URL with added parameters must fit into one header and one request line. */
const CALLBACK_URL_LENGTH_MAX = 4_096

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
  throw invalidParameter('callback_url', 'callback_url must be a valid https URL')
}

/**
 * Requires two slashes, and refuses a backslash, a control character and a user name, so that a person and the browser
 * read the same host. Private addresses are allowed, because only that browser opens them.
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
  throw invalidParameter('lang', 'lang must be zh, en, or zh-Hant')
}
