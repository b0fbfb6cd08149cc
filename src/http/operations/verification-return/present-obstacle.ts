import { RETURN_PATH } from '../../../app/verification/return-state.ts'
import type { ApiError } from '../../../domain/api-error.ts'
import type { Language } from '../../../domain/assets/verification-request.ts'
import type { EdgeRequest } from '../../edge-request.ts'
import type { PresentedError } from '../../operation.ts'
import { nextTryOf } from './next-try.ts'
import { PAGE_HEADERS, renderObstacle } from './page.ts'
import type { Obstacle } from './words.ts'

const STATUSES: Readonly<Record<Obstacle, number>> = {
  unknown: 404,
  expired: 410,
  used: 410,
  unavailable: 503,
}

/** For a browser whose page no longer tries by itself. */
const RETRY_AFTER_SECONDS = 60

/** The page for a visit that leads nowhere, in the client's choice of language, or the browser's where there is none. */
export function presentObstacle(
  obstacle: Obstacle,
  { raw, headers }: EdgeRequest,
  { language, status = STATUSES[obstacle] }: { language: Language | null; status?: number },
): PresentedError {
  const isForLater = status === 429 || status === 503
  const next = isForLater ? nextTryOf(raw.url ?? '') : undefined
  const retryAfter = String(next?.afterSeconds ?? RETRY_AFTER_SECONDS)
  return {
    status,
    headers: { ...PAGE_HEADERS, ...(isForLater ? { 'retry-after': retryAfter } : {}) },
    body: renderObstacle(obstacle, language ?? chooseLanguage(headers['accept-language']), next),
  }
}

/** An error of the edge at our return address as a page, for a person reads it; undefined at every other address. */
export function errorPage({ status }: ApiError, request: EdgeRequest): PresentedError | undefined {
  if (!isBrowserBack(request)) return undefined
  const obstacle = status >= 500 || status === 429 ? 'unavailable' : 'unknown'
  return presentObstacle(obstacle, request, { language: null, status })
}

/** Browsers come back with GET; a client that uses another method is a program. */
function isBrowserBack({ raw }: EdgeRequest): boolean {
  if (raw.method !== 'GET' && raw.method !== 'HEAD') return false
  const [path = ''] = (raw.url ?? '').split('?', 1)
  return path === RETURN_PATH || path.startsWith(`${RETURN_PATH}/`)
}

/** The first language of the list that we speak, in the browser's order; otherwise English. */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  const wishes = (acceptLanguage ?? '').split(',', WISHES_MAX).map(readWish)
  const liked = wishes.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight)
  return liked.map(({ tag }) => languageOf(tag)).find((language) => language !== undefined) ?? 'en'
}

/** More than any browser sends. */
const WISHES_MAX = 20

function readWish(wish: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = wish.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  const weight = quality === undefined ? 1 : Number(quality.slice(2))
  return { tag, weight: Number.isFinite(weight) ? weight : 0 }
}

function languageOf(tag: string): Language | undefined {
  const [language, ...more] = tag.split('-')
  if (language === 'en') return 'en'
  if (language !== 'zh') return undefined
  if (more.includes('hans')) return 'zh'
  return more.some((part) => TRADITIONAL.has(part)) ? 'zh-Hant' : 'zh'
}

/** The script itself, and where it is the usual one. */
const TRADITIONAL: ReadonlySet<string> = new Set(['hant', 'tw', 'hk', 'mo'])
