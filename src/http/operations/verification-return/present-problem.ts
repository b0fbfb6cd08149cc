import { RETURN_PATH } from '../../../app/verification/return-state.ts'
import type { ApiError } from '../../../domain/api-error.ts'
import type { Language } from '../../../domain/assets/verification-request.ts'
import type { EdgeRequest } from '../../edge-request.ts'
import type { PresentedError } from '../../operation.ts'
import { nextTryOf } from './next-try.ts'
import { PAGE_HEADERS, renderProblem } from './page.ts'
import type { ReturnProblem } from './words.ts'

const STATUSES: Readonly<Record<ReturnProblem, number>> = {
  unknown: 404,
  expired: 410,
  used: 410,
  unavailable: 503,
}

/** Value of `Retry-After` when the page does not retry by itself. */
const RETRY_AFTER_SECONDS = 60

/** Page for a visit without a result, in the language that the client chose, else the browser's. */
export function presentProblem(
  problem: ReturnProblem,
  { raw, headers }: EdgeRequest,
  { language, status = STATUSES[problem] }: { language: Language | null; status?: number },
): PresentedError {
  const isForLater = status === 429 || status === 503
  const next = isForLater ? nextTryOf(raw.url ?? '') : undefined
  const retryAfter = String(next?.afterSeconds ?? RETRY_AFTER_SECONDS)
  return {
    status,
    headers: { ...PAGE_HEADERS, ...(isForLater ? { 'retry-after': retryAfter } : {}) },
    body: renderProblem(problem, language ?? chooseLanguage(headers['accept-language']), next),
  }
}

/** Presents an error at our return address as a page; undefined at every other address. */
export function errorPage({ status }: ApiError, request: EdgeRequest): PresentedError | undefined {
  if (!isBrowserBack(request)) return undefined
  const problem = status >= 500 || status === 429 ? 'unavailable' : 'unknown'
  return presentProblem(problem, request, { language: null, status })
}

/** Browsers return with GET; a client that uses another method than GET or HEAD is a program. */
function isBrowserBack({ raw }: EdgeRequest): boolean {
  if (raw.method !== 'GET' && raw.method !== 'HEAD') return false
  const [path = ''] = (raw.url ?? '').split('?', 1)
  return path === RETURN_PATH || path.startsWith(`${RETURN_PATH}/`)
}

/** First supported language in the browser's order; default: English. */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  const ranges = (acceptLanguage ?? '').split(',', LANGUAGES_MAX).map(readLanguageRange)
  const liked = ranges.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight)
  return liked.map(({ tag }) => languageOf(tag)).find((language) => language !== undefined) ?? 'en'
}

/** Number of languages that are read: more than any browser sends. */
const LANGUAGES_MAX = 20

function readLanguageRange(range: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
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

/** Tags of the traditional script, and of regions that use it. */
const TRADITIONAL: ReadonlySet<string> = new Set(['hant', 'tw', 'hk', 'mo'])
