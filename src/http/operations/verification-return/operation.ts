import { Readable } from 'node:stream'
import { withDeadline } from '../../../app/jobs/deadline.ts'
import type { VerificationReturn } from '../../../app/verification/return-from-verification.ts'
import { RETURN_PATH } from '../../../app/verification/return-state.ts'
import type { Language } from '../../../domain/assets/verification-request.ts'
import { openOperation } from '../../operation.ts'
import { prefersHtml } from '../../pages/prefers-html.ts'
import { type NextTry, nextTryOf, triesOf } from './next-try.ts'
import { endInProblem, endInRedirect, PAGE_HEADERS, RETURN_HEADERS, renderWaiting } from './page.ts'
import { chooseLanguage, errorPage, presentProblem } from './present-problem.ts'

/** A browser gets a waiting page after this time; the vendor may take 30 seconds. */
const WAITING_PAGE_AFTER_MS = 700

/** Address to which the vendor's page sends the browser after the scan. */
export const verificationReturn = openOperation('verificationReturn', `GET ${RETURN_PATH}/:state`, {
  undocumented: true,
  summary: 'Come back from a verification',
  replies: {
    200: {
      description:
        'A waiting page, for a browser, when the vendor needs more than 0.7 seconds. It then redirects to the `callback_url` or shows the problem.',
      contentType: 'text/html',
    },
    302: { description: "On to the client's `callback_url`." },
    404: { description: 'A page: the gateway never made this address.', contentType: 'text/html' },
    410: { description: 'A page: the address has expired or was used already.', contentType: 'text/html' },
    503: {
      description: 'A page: it loads itself again after a while, six times at most.',
      contentType: 'text/html',
    },
  },
  // A program that only checks the address must not use it up.
  head: { status: 204, headers: RETURN_HEADERS },
  presentApiError: errorPage,
  async serve({ app }, request, reply) {
    const { state }: { state?: unknown } = Object(request.params)
    const { query, raw } = request
    const isRepeat = triesOf(raw.url ?? '') > 0
    const visit = app.returnFromVerification({ state: String(state), query, isRepeat })
    const isBrowser = prefersHtml(request.headers.accept)
    const early = await withDeadline(visit, isBrowser ? { ms: WAITING_PAGE_AFTER_MS } : {})
    if (early === undefined) {
      const language = chooseLanguage(request.headers['accept-language'])
      return reply
        .headers(PAGE_HEADERS)
        .send(Readable.from(pageOf(visit, language, nextTryOf(raw.url ?? ''))))
    }
    const outcome = early.value
    if (outcome.kind === 'redirect') {
      return reply.code(302).headers(RETURN_HEADERS).header('location', outcome.url).send()
    }
    const language = outcome.kind === 'unknown' ? null : outcome.language
    const { status, headers, body } = presentProblem(outcome.kind, request, { language })
    return reply.code(status).headers(headers).send(body)
  },
})

/** The request stays open, so that a stopping process waits for the vendor's response. */
async function* pageOf(
  visit: Promise<VerificationReturn>,
  guessed: Language,
  next: NextTry | undefined,
): AsyncGenerator<string> {
  yield renderWaiting(guessed)
  const outcome = await visit.catch((): VerificationReturn => ({ kind: 'unavailable', language: guessed }))
  if (outcome.kind === 'redirect') yield endInRedirect(outcome.url, guessed)
  else {
    const language = (outcome.kind === 'unknown' ? null : outcome.language) ?? guessed
    yield endInProblem(outcome.kind, language, outcome.kind === 'unavailable' ? next : undefined)
  }
}
