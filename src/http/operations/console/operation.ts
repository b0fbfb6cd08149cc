import { ApiError } from '../../../domain/api-error.ts'
import { readSessionCookie, sessionCookie } from '../../admin/session-cookie.ts'
import type { EdgeReply } from '../../edge-reply.ts'
import type { HandlerParts, Operation } from '../../operation.ts'
import { html } from '../../pages/html.ts'
import { PLAIN_PAGE_HEADERS, plainPage } from '../../pages/plain-page.ts'
import type { Handle } from '../../step.ts'
import { openIdOperations } from './openid.ts'

/** The page loads only from this server, and no page may frame it. */
const CONSOLE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

const INDEX = 'index.html'
const ASSET_CACHING = 'public, max-age=31536000, immutable'

/** Page for people: not in the reference for programs. */
const row = { method: 'GET', area: 'video', access: 'open', undocumented: true } as const
const page = {
  ...row,
  summary: 'The console',
  replies: {
    200: { description: 'A page or a part of one; without `ADMIN_API_KEY`, how to enable it.' },
    304: { description: 'The browser has the file already.' },
    404: { description: 'There is no such file, or the console was not built.' },
  },
} as const

export const consoleOperations: readonly Operation[] = [
  { ...page, id: 'console', path: '/console', handle: (parts) => servePage(parts) },
  { ...page, id: 'consoleFile', path: '/console/*', handle: (parts) => servePage(parts) },
  {
    ...row,
    id: 'consoleSignIn',
    path: '/console/sign-in',
    summary: 'Sign in by a link that works once',
    // A program that only checks the address must not use the link up.
    head: { status: 204, headers: { 'cache-control': 'no-store' } },
    replies: { 303: { description: 'A redirect to the console, signed in or not.' } },
    handle: (parts) => signInByLink(parts),
  },
  ...openIdOperations,
]

function servePage({ admin, consoleFiles }: HandlerParts): Handle {
  return async (request, reply) => {
    if (admin === undefined) return reply.headers(PLAIN_PAGE_HEADERS).send(HOW_TO_ENABLE)
    const { '*': path = '' }: { '*'?: string } = Object(request.params)
    const accepts = { brotli: takesBrotli(request.headers['accept-encoding']) }
    const found = await consoleFiles?.find(path, accepts)
    if (found === undefined && isFileName(path)) throw new ApiError('not_found')
    const file = found ?? (await consoleFiles?.find(INDEX, accepts))
    if (file === undefined) return reply.code(404).headers(PLAIN_PAGE_HEADERS).send(HOW_TO_BUILD)
    reply.headers(CONSOLE_HEADERS).headers({
      etag: file.etag,
      vary: 'Accept-Encoding',
      'cache-control': file.isHashed ? ASSET_CACHING : 'no-cache',
    })
    if (knowsTag(request.headers['if-none-match'], file.etag)) return reply.code(304).send()
    if (file.encoding !== undefined) reply.header('content-encoding', file.encoding)
    return reply.type(file.contentType).send(file.bytes)
  }
}

/** Pages of the console have addresses without a dot, and so do ids. */
function isFileName(path: string): boolean {
  return path.startsWith('assets/') || /\.[^/]*$/.test(path)
}

function takesBrotli(acceptEncoding: string | undefined): boolean {
  return (acceptEncoding ?? '')
    .split(',')
    .some((coding) => /^\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i.test(coding))
}

function knowsTag(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '')
    .split(',')
    .some((known) => [etag, '*'].includes(known.trim().replace(/^W\//, '')))
}

/** Redirects, so that the link stays neither in the address line nor in the history. */
function signInByLink({ admin, app }: HandlerParts): Handle {
  return async (request, reply) => {
    if (admin === undefined || app.sessions === undefined) return redirect(reply, '/console/')
    const { token }: { token?: unknown } = Object(request.query)
    const from = { replaces: readSessionCookie(request.raw, admin) }
    const signedIn = typeof token === 'string' ? await app.sessions.signInByLink(token, from) : undefined
    if (signedIn === undefined) {
      const refusal = admin.refuseKey(request.raw)
      if (refusal.status === 429) throw refusal
      return redirect(reply, '/console/?sign_in=link_used')
    }
    reply.header('set-cookie', sessionCookie(signedIn.cookie, request.raw, admin))
    return redirect(reply, '/console/')
  }
}

function redirect(reply: EdgeReply, location: string): void {
  reply.headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  reply.code(303).send()
}

export const HOW_TO_ENABLE = plainPage({
  title: 'The console is switched off',
  main: html`<h1>The console is switched off</h1>
<p>It needs a key for operators. Start the gateway with one of at least 16 characters:</p>
<pre>ADMIN_API_KEY=$(openssl rand -hex 16) npx sluice</pre>
<p>On this machine the gateway then prints a link that signs you in. Elsewhere open this page again and sign in with the key,
or with the token of an operator (<code>sluice operator create</code>).</p>
<p class="soft">Keep the key in your deployment's secrets: with another one, everyone is signed out.</p>`,
})

export const HOW_TO_BUILD = plainPage({
  title: 'The console was not built',
  main: html`<h1>The console was not built</h1>
<p>This installation has the gateway without its pages. Build them once, in the folder of the gateway:</p>
<pre>npm ci</pre>
<p class="soft">Everything that the console shows is also in the admin API and the command line.</p>`,
})
