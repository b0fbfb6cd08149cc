import { CONSENT_PATH } from '../../../app/verification/consent-link.ts'
import type { ConsentView } from '../../../app/verification/revoke-consent.ts'
import type { ApiError } from '../../../domain/api-error.ts'
import type { EdgeReply } from '../../edge-reply.ts'
import type { EdgeRequest } from '../../edge-request.ts'
import type { Operation, PresentedError } from '../../operation.ts'
import type { Forwarded } from '../../server/forwarded.ts'
import { chooseLanguage } from '../verification-return/present-problem.ts'
import { CONSENT_HEADERS, renderConsent, renderProblem } from './page.ts'

/** Page for people: not in the reference for programs. */
const row = { path: `${CONSENT_PATH}/:token`, area: 'video', access: 'open', undocumented: true } as const
const REPLIES = {
  404: { description: 'A page: the gateway never made this link.', contentType: 'text/html' },
  410: { description: 'A page: the verification was erased.', contentType: 'text/html' },
  429: { description: 'A page: too many visits in a minute.', contentType: 'text/html' },
  503: { description: 'A page: load it again later.', contentType: 'text/html' },
}

export const showConsent: Operation = {
  ...row,
  id: 'showConsent',
  method: 'GET',
  summary: 'See who keeps the verification of a person',
  replies: {
    200: { description: 'A page, with a button that revokes the consent.', contentType: 'text/html' },
    ...REPLIES,
  },
  presentApiError: errorPage,
  handle:
    ({ app, forwarded }) =>
    async (request, reply) => {
      const view = await app.consents.show(visitOf(request, forwarded))
      return send(reply, view, request, { status: STATUSES[view.kind] })
    },
}

export const revokeConsent: Operation = {
  ...row,
  id: 'revokeConsent',
  method: 'POST',
  summary: 'Take the consent of a person back',
  replies: {
    200: { description: 'A page: the consent is revoked, now or before.', contentType: 'text/html' },
    403: { description: 'A page: the form was not sent by this page.', contentType: 'text/html' },
    ...REPLIES,
  },
  handle:
    ({ app, forwarded }) =>
    async (request, reply) => {
      const { confirm }: { confirm?: unknown } = Object(request.query)
      const confirmation = isSameOrigin(request) && typeof confirm === 'string' ? confirm : undefined
      const view = await app.consents.revoke({ ...visitOf(request, forwarded), confirmation })
      return send(reply, view, request, { status: view.kind === 'given' ? 403 : STATUSES[view.kind] })
    },
}

const STATUSES: Readonly<Record<ConsentView['kind'], number>> = {
  unknown: 404,
  gone: 410,
  given: 200,
  revoked: 200,
}

function visitOf(request: EdgeRequest, { addressOf }: Forwarded): { token: string; address: string } {
  const { token }: { token?: unknown } = Object(request.params)
  return { token: String(token), address: addressOf(request.raw) }
}

/**
 * Browsers leave the header out when the address is neither https nor local; the confirmation is required in any
 * case.
 */
function isSameOrigin({ headers }: EdgeRequest): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin'
}

function send(
  reply: EdgeReply,
  view: ConsentView,
  { headers }: EdgeRequest,
  { status }: { status: number },
): void {
  const language = chooseLanguage(headers['accept-language'])
  reply.code(status).headers(CONSENT_HEADERS).send(renderConsent(view, language))
}

const RETRY_AFTER_SECONDS = 5

/** Presents an error of the edge as a page; undefined at every other address. */
function errorPage(
  { status, retryAfterSeconds }: ApiError,
  { raw, headers }: EdgeRequest,
): PresentedError | undefined {
  const [path = ''] = (raw.url ?? '').split('?', 1)
  if (path !== CONSENT_PATH && !path.startsWith(`${CONSENT_PATH}/`)) return undefined
  if (!['GET', 'HEAD', 'POST'].includes(raw.method ?? '')) return undefined
  const isForLater = status >= 500 || status === 429
  const retryAfter = String(Math.ceil(retryAfterSeconds ?? RETRY_AFTER_SECONDS))
  return {
    status,
    headers: { ...CONSENT_HEADERS, ...(isForLater && { 'retry-after': retryAfter }) },
    body: renderProblem(isForLater ? 'unavailable' : 'unknown', chooseLanguage(headers['accept-language'])),
  }
}
