import type { Language } from '../../../domain/assets/verification-request.ts'
import { type Html, html } from '../../pages/html.ts'
import { PLAIN_PAGE_HEADERS, plainPage, signOf } from '../../pages/plain-page.ts'
import type { NextTry } from './next-try.ts'
import { type ReturnProblem, WORDS } from './words.ts'

const SIGNS: Readonly<Record<ReturnProblem, Parameters<typeof signOf>[0]>> = {
  unknown: 'cross',
  expired: 'clock',
  used: 'tick',
  unavailable: 'clock',
}

/** A page that loads nothing from other servers and contains no personal data. */
export function renderProblem(problem: ReturnProblem, language: Language, next?: NextTry): string {
  const { tag, problems } = WORDS[language]
  return plainPage({
    title: problems[problem].title,
    language: tag,
    look: 'phone',
    main: problemMain(problem, language, next),
  })
}

/** The browser retries by itself when `next` is given; the button is for a person who does not wait. */
function problemMain(problem: ReturnProblem, language: Language, next: NextTry | undefined): Html {
  const { again, triesAgain, problems } = WORDS[language]
  const { title, text } = problems[problem]
  const refresh =
    next &&
    html`<meta http-equiv="refresh" content="${next.afterSeconds};url=${next.url}"><p class="soft">${triesAgain(next.afterSeconds)}</p>`
  // An empty address is the page itself: not every in-app browser can reload.
  const link = problem === 'unavailable' && html`<a class="button" href="">${again}</a>`
  return html`${signOf(SIGNS[problem])}<h1>${title}</h1><p>${text}</p>${refresh}${link}`
}

/** Page while the vendor is called; `endInProblem` or `endInRedirect` writes its end. */
export function renderWaiting(language: Language): string {
  const { tag, waiting } = WORDS[language]
  const main = html`<svg class="sign wait" viewBox="0 0 100 100" aria-hidden="true"><circle cx="50" cy="50" r="44"/><circle cx="50" cy="50" r="44" pathLength="200"/></svg>
<h1>${waiting.title}</h1><p role="status">${waiting.text}</p>`
  return plainPage({ title: waiting.title, language: tag, look: 'phone', main, isOpen: true })
}

export function endInProblem(problem: ReturnProblem, language: Language, next?: NextTry): string {
  return html`<main><div role="alert">${problemMain(problem, language, next)}</div></main></body></html>\n`
    .text
}

/** The browser continues by itself; the button is for a browser that does not. */
export function endInRedirect(url: string, language: Language): string {
  const { waiting, onward } = WORDS[language]
  return html`<main><meta http-equiv="refresh" content="0;url=${url}"><h1>${waiting.title}</h1>
<a class="button" href="${url}">${onward}</a></main></body></html>\n`.text
}

/** The address of the page is a secret of the person: no cache and no referrer may contain it. */
export const RETURN_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

export const PAGE_HEADERS = { ...PLAIN_PAGE_HEADERS, ...RETURN_HEADERS, vary: 'Accept-Language' }
