import { CONSENT_PATH } from '../../../app/verification/consent-link.ts'
import type { ConsentView } from '../../../app/verification/revoke-consent.ts'
import type { ApiError } from '../../../domain/api-error.ts'
import type { Language } from '../../../domain/assets/verification-request.ts'
import type { EdgeReply } from '../../edge-reply.ts'
import type { EdgeRequest } from '../../edge-request.ts'
import { openOperation, type PresentedError } from '../../operation.ts'
import { type Html, html } from '../../pages/html.ts'
import { plainPage, signOf } from '../../pages/plain-page.ts'
import type { Forwarded } from '../../server/forwarded.ts'
import { PAGE_HEADERS } from '../verification-return/page.ts'
import { chooseLanguage } from '../verification-return/present-problem.ts'
import { WORDS } from '../verification-return/words.ts'
import { CONSENT_WORDS, type ConsentProblem } from './words.ts'

/** Page for people: not in the reference for programs. */
const PAGE = `${CONSENT_PATH}/:token` as const
const REPLIES = {
  404: { description: 'A page: the gateway never made this link.', contentType: 'text/html' },
  410: { description: 'A page: the verification was erased.', contentType: 'text/html' },
  429: { description: 'A page: too many visits in a minute.', contentType: 'text/html' },
  503: { description: 'A page: load it again later.', contentType: 'text/html' },
}

export const showConsent = openOperation('showConsent', `GET ${PAGE}`, {
  undocumented: true,
  summary: 'See who keeps the verification of a person',
  replies: {
    200: { description: 'A page, with a button that revokes the consent.', contentType: 'text/html' },
    ...REPLIES,
  },
  presentApiError: errorPage,
  async serve({ app, forwarded }, request, reply) {
    const view = await app.consents.show(visitOf(request, forwarded))
    return send(reply, view, request, { status: STATUSES[view.kind] })
  },
})

export const revokeConsent = openOperation('revokeConsent', `POST ${PAGE}`, {
  undocumented: true,
  summary: 'Take the consent of a person back',
  replies: {
    200: { description: 'A page: the consent is revoked, now or before.', contentType: 'text/html' },
    403: { description: 'A page: the form was not sent by this page.', contentType: 'text/html' },
    ...REPLIES,
  },
  async serve({ app, forwarded }, request, reply) {
    const { confirm }: { confirm?: unknown } = Object(request.query)
    const confirmation = isSameOrigin(request) && typeof confirm === 'string' ? confirm : undefined
    const view = await app.consents.revoke({ ...visitOf(request, forwarded), confirmation })
    return send(reply, view, request, { status: view.kind === 'given' ? 403 : STATUSES[view.kind] })
  },
})

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

/** Browsers send no `sec-fetch-site` to an address that is neither https nor local; `revoke` needs `confirm` anyway. */
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

/** Presents an error at an address of the consent page as a page; undefined at every other address. */
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

/** The form is sent to the page itself and to no other address. */
export const CONSENT_HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': PAGE_HEADERS['content-security-policy'].replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
}

export function renderConsent(view: ConsentView, language: Language): string {
  switch (view.kind) {
    case 'unknown':
    case 'gone':
      return renderProblem(view.kind, language)
    case 'given':
      return renderGiven(view, language)
    case 'revoked':
      return renderRevoked(view, language)
  }
}

export function renderProblem(problem: ConsentProblem, language: Language): string {
  const { again, problems } = CONSENT_WORDS[language]
  const { title, text } = problems[problem]
  // An address with an empty query is the page itself, without the data of the form.
  const link = problem === 'unavailable' && html`<a class="button" href="?">${again}</a>`
  return page({
    language,
    title,
    main: html`${signOf(SIGNS[problem])}<h1>${title}</h1><p>${text}</p>${link}`,
  })
}

const SIGNS: Readonly<Record<ConsentProblem, Parameters<typeof signOf>[0]>> = {
  unknown: 'cross',
  gone: 'tick',
  unavailable: 'clock',
}

function renderGiven(
  { organizationName, verifiedAtMs, confirmation }: Extract<ConsentView, { kind: 'given' }>,
  language: Language,
): string {
  const { title, text, heading, effects, final, button } = CONSENT_WORDS[language].given
  const main = html`${signOf('face')}<h1>${title}</h1><p>${text(organizationName, dayOf(verifiedAtMs, language))}</p>
<p>${heading}</p><ul>${effects.map((effect) => html`<li>${effect}</li>`)}</ul><p class="soft">${final}</p>
<form method="post" action="?confirm=${confirmation}"><button class="button">${button}</button></form>`
  return page({ language, title, main })
}

function renderRevoked(
  { organizationName, revokedAtMs, isNew }: Extract<ConsentView, { kind: 'revoked' }>,
  language: Language,
): string {
  const { revoked, revokedBefore } = CONSENT_WORDS[language]
  const { title } = isNew ? revoked : revokedBefore
  const text = isNew
    ? revoked.text(organizationName)
    : revokedBefore.text(organizationName, dayOf(revokedAtMs, language))
  return page({ language, title, main: html`${signOf('tick')}<h1>${title}</h1><p role="status">${text}</p>` })
}

function page({ language, title, main }: { language: Language; title: string; main: Html }): string {
  return plainPage({ title, language: WORDS[language].tag, look: 'phone', main })
}

function dayOf(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(WORDS[language].tag, { dateStyle: 'long', timeZone: 'UTC' }).format(ms)
}
