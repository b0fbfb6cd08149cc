import { LANGUAGES } from '../../../domain/assets/verification-request.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { HTTPS_URL_PATTERN } from '../../../domain/parse-https-url.ts'
import type { Operation } from '../../operation.ts'
import { parseCreateSession } from './parse-create-session.ts'

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

export const createSession: Operation = {
  id: 'createSession',
  method: 'POST',
  path: '/v1/video/assets/sessions',
  area: 'video',
  access: 'api-key',
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
        h5_link: json.string({ description: 'Works once, for about 30 minutes.' }),
      }),
    },
    400: {
      description:
        '`body must be valid JSON`, `callback_url is required`, `callback_url must be a valid https URL`, or `lang must be zh, en, or zh-Hant`.',
    },
    429: { description: 'Too many requests, or the vendor is busy.' },
    502: { description: 'The vendor failed.' },
    503: {
      description: 'The asset service is not configured, the store is not available, or the gateway is busy.',
    },
  },
  handle:
    ({ app }) =>
    async ({ body, caller }, reply) => {
      const request = parseCreateSession(body)
      const { link } = await app.startVerification({ request, caller })
      // No cache may keep the link.
      reply.header('cache-control', 'no-store')
      return { object: 'video.asset_session', status: 'pending', h5_link: link }
    },
}
