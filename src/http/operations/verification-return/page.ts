import type { Language } from '../../../domain/assets/verification-request.ts'
import { type Html, html } from '../../pages/html.ts'
import { PLAIN_PAGE_HEADERS, plainPage } from '../../pages/plain-page.ts'
import { type Obstacle, WORDS } from './words.ts'

/** What the sign of each page shows; their looks are those of the page that scans. */
const SIGNS: Readonly<Record<Obstacle, string>> = {
  unknown: 'M36 36l28 28M64 36l-28 28',
  expired: 'M50 30v22l14 9',
  used: 'M32 52l12 12 24-27',
  unavailable: 'M50 30v22l14 9',
}

/** A page that loads nothing from other servers and holds no personal data. */
export function renderObstacle(obstacle: Obstacle, language: Language): string {
  const { tag, obstacles } = WORDS[language]
  return plainPage({
    title: obstacles[obstacle].title,
    language: tag,
    look: 'phone',
    main: obstacleMain(obstacle, language),
  })
}

function obstacleMain(obstacle: Obstacle, language: Language): Html {
  const { again, obstacles } = WORDS[language]
  const { title, text } = obstacles[obstacle]
  // An address without anything in it is that of the page itself: not every browser in an app can reload.
  const link = obstacle === 'unavailable' && html`<a class="button" href="">${again}</a>`
  const sign = html`<svg class="sign" viewBox="0 0 100 100" aria-hidden="true"><circle cx="50" cy="50" r="44"/><path d="${SIGNS[obstacle]}"/></svg>`
  return html`${sign}<h1>${title}</h1><p>${text}</p>${link}`
}

/** What a person sees while the vendor is asked; the page ends with one of the two below. */
export function renderWaiting(language: Language): string {
  const { tag, waiting } = WORDS[language]
  const main = html`<svg class="sign wait" viewBox="0 0 100 100" aria-hidden="true"><circle cx="50" cy="50" r="44"/><circle cx="50" cy="50" r="44" pathLength="200"/></svg>
<h1>${waiting.title}</h1><p role="status">${waiting.text}</p>`
  return plainPage({ title: waiting.title, language: tag, look: 'phone', main, isOpen: true })
}

export function endInObstacle(obstacle: Obstacle, language: Language): string {
  return html`<main><div role="alert">${obstacleMain(obstacle, language)}</div></main></body></html>\n`.text
}

/** The browser goes on by itself; the button is for one that does not. */
export function endInRedirect(url: string, language: Language): string {
  const { waiting, onward } = WORDS[language]
  return html`<main><meta http-equiv="refresh" content="0;url=${url}"><h1>${waiting.title}</h1>
<a class="button" href="${url}">${onward}</a></main></body></html>\n`.text
}

/** The address of the page is a secret of the person: no cache may keep it, and no referrer may carry it. */
export const RETURN_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

export const PAGE_HEADERS = { ...PLAIN_PAGE_HEADERS, ...RETURN_HEADERS, vary: 'Accept-Language' }
