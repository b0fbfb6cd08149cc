import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import { stableJson } from '../../domain/json/stable-json.ts'
import type { TaskPricing } from '../../domain/video/cost-of-task.ts'
import type { VideoRequest } from '../../domain/video/request.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'

const PREFIX = 'quote_'
export const QUOTE_ID_LENGTH_MAX = 1_000

/** What was promised: this order, at this price, until then. */
export interface Quote {
  id: string
  /** Equal for requests that make the same order: only metadata and the address for the callback may differ. */
  orderDigest: string
  /** With the most that it may cost. */
  pricing: TaskPricing
  expiresAtMs: number
}

/**
 * The quote itself, encrypted for its organization: asking for quotes writes nothing, and every replica can read it.
 * Only its use is stored.
 */
export function quoteIdOf(quote: Quote, organizationId: string, secrets: Secrets): string {
  return `${PREFIX}${secrets.encrypt(JSON.stringify(quote), boundTo(organizationId))}`
}

/** Refuses what is no quote of this organization, is too old, or was given for another order. */
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

export function digestOrder(
  { metadata: _, callbackUrl: __, ...order }: VideoRequest,
  { sha256 }: Pick<Secrets, 'sha256'>,
): string {
  return Buffer.from(sha256(stableJson(order)), 'base64url').toString('hex')
}

function boundTo(organizationId: string): string {
  return `quote:${organizationId}`
}
