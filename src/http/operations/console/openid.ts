import { ApiError } from '../../../domain/api-error.ts'
import type { AdminAccess } from '../../admin/admin-key-check.ts'
import { readCookie, readSessionCookie, sessionCookie, writeCookie } from '../../admin/session-cookie.ts'
import type { EdgeReply } from '../../edge-reply.ts'
import type { EdgeRequest } from '../../edge-request.ts'
import { type HandlerParts, type Operation, openOperation } from '../../operation.ts'
import { html } from '../../pages/html.ts'
import { PLAIN_PAGE_HEADERS, plainPage } from '../../pages/plain-page.ts'

/** The cookie is Lax instead of Strict, because the provider's page leads the browser back. */
const COOKIE = 'sluice_openid'
const COOKIE_SECONDS = 600
const PATH = '/console/oidc'

const NO_STORE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

const row = {
  undocumented: true,
  isOffered: ({ app }: HandlerParts) => app.openId !== undefined,
  head: { status: 204, headers: NO_STORE },
} as const
const FAILURES = {
  429: { description: 'This address has made too many sign-ins in a minute.' },
  502: { description: 'The provider is unreachable.' },
}

export const openIdOperations: readonly Operation[] = [
  openOperation('consoleOpenId', `GET ${PATH}`, {
    ...row,
    summary: 'Sign in with the OpenID provider',
    replies: {
      303: { description: 'A redirect to the provider.' },
      ...FAILURES,
    },
    async serve(parts, request, reply) {
      const { openId, admin } = opened(parts, request)
      const { url, kept } = await openId.begin()
      reply.header('set-cookie', attemptCookie(kept, request, admin))
      return noStore(reply).code(303).header('location', url).send()
    },
  }),
  openOperation('consoleOpenIdReturn', `GET ${PATH}/callback`, {
    ...row,
    summary: 'Come back from the OpenID provider',
    replies: {
      303: { description: 'A redirect to the console, signed in.' },
      401: { description: 'A page: the sign-in did not succeed.', contentType: 'text/html' },
      403: { description: 'A page: the person has no role here.', contentType: 'text/html' },
      ...FAILURES,
    },
    async serve(parts, request, reply) {
      const { openId, admin } = opened(parts, request)
      const { search } = new URL(request.raw.url ?? '', 'http://gateway')
      const from = { replaces: readSessionCookie(request.raw, admin) }
      const kept = readCookie(COOKIE, request.raw, admin)
      const result = await openId.finish({ query: search, kept }, from)
      const attempt = attemptCookie(undefined, request, admin)
      reply.header('set-cookie', attempt)
      if (result.kind === 'refused') return answer(reply, 401, REFUSED)
      if (result.kind === 'no-role') return answer(reply, 403, noRole(result.name))
      reply.header('set-cookie', [attempt, sessionCookie(result.signedIn.cookie, request.raw, admin)])
      return noStore(reply).code(303).header('location', '/console/').send()
    },
  }),
]

function opened({ app, admin }: HandlerParts, { raw }: EdgeRequest) {
  const { openId } = app
  if (openId === undefined || admin === undefined) throw new ApiError('not_found')
  const apiError = admin.countOpenIdStep(raw)
  if (apiError !== undefined) throw apiError
  return { openId, admin }
}

function attemptCookie(value: string | undefined, { raw }: EdgeRequest, admin: AdminAccess): string {
  const seconds = value === undefined ? 0 : COOKIE_SECONDS
  return writeCookie({ name: COOKIE, value, sameSite: 'Lax', seconds }, raw, admin)
}

function noStore(reply: EdgeReply): EdgeReply {
  return reply.headers(NO_STORE)
}

function answer(reply: EdgeReply, status: number, body: string): void {
  noStore(reply).code(status).headers(PLAIN_PAGE_HEADERS).send(body)
}

const REFUSED = plainPage({
  title: 'The sign-in did not succeed',
  main: html`<h1>The sign-in did not succeed</h1>
<p>The provider refused it, it took more than ten minutes, or it began in another browser.</p>
<a class="button" href="/console/">Back to the sign-in</a>`,
})

function noRole(name: string): string {
  return plainPage({
    title: 'No role for this account',
    main: html`<h1>No role for this account</h1>
<p>You are signed in at the provider as <b>${name}</b>, and this account may not use the console. Ask an owner of this gateway:
the settings <code>OIDC_ROLE_OWNER</code>, <code>OIDC_ROLE_OPERATOR</code> and <code>OIDC_ROLE_VIEWER</code> say who may.</p>
<a class="button" href="/console/">Back to the sign-in</a>`,
  })
}
