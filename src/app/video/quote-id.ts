import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import { stableJson } from '../../domain/json/stable-json.ts'
import type { TaskPricing } from '../../domain/video/cost-of-task.ts'
import type { VideoRequest } from '../../domain/video/request.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'

const PREFIX = 'quote_'
export const QUOTE_ID_LENGTH_MAX = 1_000

/** A promise to take an order at a price until a time. */
export interface Quote {
  id: string
  /** Equal for requests that differ only in metadata, the callback address and `keepsFrameRoles`. */
  orderDigest: string
  /** Includes the maximum cost. */
  pricing: TaskPricing
  expiresAtMs: number
}

/** Clients get the whole quote as its id, encrypted for the organization, so every replica can read it. */
export function quoteIdOf(quote: Quote, organizationId: string, secrets: Secrets): string {
  return `${PREFIX}${secrets.encrypt(JSON.stringify(quote), boundTo(organizationId))}`
}

/** Refuses an id that is not a quote of this organization, has expired, or belongs to another order. */
export function openQuote(
  { quoteId, request }: { quoteId: string; request: VideoRequest },
  { organizationId }: Pick<Caller, 'organizationId'>,
  { secrets, deadlineClock }: { secrets: Secrets; deadlineClock: Clock },
): Quote {
  const param = 'quote_id'
  const text = quoteId.startsWith(PREFIX)
    ? secrets.decrypt(quoteId.slice(PREFIX.length), boundTo(organizationId))
    : undefined
  if (text === undefined) throw new ApiError('quote_not_found', { param })
  const quote: Quote = JSON.parse(text)
  if (deadlineClock.nowMs() >= quote.expiresAtMs) throw new ApiError('quote_expired', { param })
  if (quote.orderDigest !== digestOrder(request, secrets)) throw new ApiError('quote_mismatch', { param })
  return quote
}

/** Includes the model behind an alias, whose price applies. All formats share quotes: `keepsFrameRoles` is left out. */
export function digestOrder(
  { metadata: _, callbackUrl: __, keepsFrameRoles: ___, ...order }: VideoRequest,
  { sha256 }: Pick<Secrets, 'sha256'>,
): string {
  return Buffer.from(sha256(stableJson(order)), 'base64url').toString('hex')
}

function boundTo(organizationId: string): string {
  return `quote:${organizationId}`
}
