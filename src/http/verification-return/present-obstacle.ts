import type { FastifyRequest } from 'fastify'
import { RETURN_PATH } from '../../app/verification/return-state.ts'
import type { Language } from '../../domain/assets/verification-request.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { PresentedError } from '../present-error.ts'
import { chooseLanguage } from './choose-language.ts'
import { PAGE_HEADERS, renderObstacle } from './page.ts'
import type { Obstacle } from './words.ts'

const STATUSES: Readonly<Record<Obstacle, number>> = {
  unknown: 404,
  expired: 410,
  used: 410,
  unavailable: 503,
}

const RETRY_AFTER_SECONDS = 5

/** The page for a visit that leads nowhere, in the client's choice of language, or the browser's where there is none. */
export function presentObstacle(
  obstacle: Obstacle,
  { headers }: FastifyRequest,
  { language, status = STATUSES[obstacle] }: { language: Language | null; status?: number },
): PresentedError {
  const isForLater = status === 429 || status === 503
  return {
    status,
    headers: { ...PAGE_HEADERS, ...(isForLater ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {}) },
    body: renderObstacle(obstacle, language ?? chooseLanguage(headers['accept-language'])),
  }
}

/** A refusal of the edge at our return address as a page, for a person reads it; undefined at every other address. */
export function refusalPage({ status }: Refusal, request: FastifyRequest): PresentedError | undefined {
  if (!isBrowserBack(request)) return undefined
  const obstacle = status >= 500 || status === 429 ? 'unavailable' : 'unknown'
  return presentObstacle(obstacle, request, { language: null, status })
}

/** Browsers come back with GET; whoever uses another method is a program. */
function isBrowserBack({ raw }: FastifyRequest): boolean {
  if (raw.method !== 'GET' && raw.method !== 'HEAD') return false
  const [path = ''] = (raw.url ?? '').split('?', 1)
  return path === RETURN_PATH || path.startsWith(`${RETURN_PATH}/`)
}
