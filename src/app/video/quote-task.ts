import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { Micros } from '../../domain/billing/micros.ts'
import { type CostTerms, costOfTerms, costTermsOf } from '../../domain/video/cost-of-task.ts'
import type { VideoRequest } from '../../domain/video/request.ts'
import { type RehearseTools, rehearseTask } from './begin-task.ts'
import type { CreateTaskTools } from './create-task.ts'
import { type DraftSettings, draftTask } from './draft-task.ts'
import { type PlacedOrder, placeOrder, priceOrder, withModelName } from './place-order.ts'
import { digestOrder, quoteIdOf } from './quote-id.ts'

const VALID_FOR_MS = 15 * 60_000

export interface QuoteView {
  quoteId: string
  expiresAtMs: number
  request: VideoRequest
  placed: PlacedOrder
  expiresAfterSeconds: number
  terms: CostTerms
  priceMicros: Micros
  maxMicros: Micros
}

export type QuoteTask = (command: { request: VideoRequest; caller: Caller }) => Promise<QuoteView>

/** Runs the checks of a create call up to the call of the vendor. It keeps nothing reserved. */
export function quoteTask(
  tools: RehearseTools &
    Pick<CreateTaskTools, 'newId' | 'secrets' | 'findVendor' | 'prices' | 'assets'> & {
      settings: DraftSettings
    },
): QuoteTask {
  const { newId, clock, secrets, findVendor } = tools
  return async ({ request: asked, caller }) => {
    const request = await withModelName(asked, caller, tools.prices)
    const placed = await placeOrder(request, caller.organizationId, tools)
    const pricing = priceOrder(placed)
    const vendor = findVendor(placed.provider)
    const none = { idempotency: undefined, quote: undefined, standIns: [] }
    const draft = draftTask({ ...placed, request, caller, pricing, vendor, ...none }, tools)
    const terms = costTermsOf(pricing, {})
    const maxMicros = costOfTerms(terms)
    try {
      await rehearseTask(draft, tools)
    } catch (error) {
      if (error instanceof ApiError) error.priceMicros = maxMicros
      throw error
    }
    if (vendor === undefined || !vendor.makes(placed.order)) throw new ApiError('provider_not_configured')
    const expiresAtMs = clock.nowMs() + VALID_FOR_MS
    const orderDigest = digestOrder(request, secrets)
    const quote = { id: newId('quote'), orderDigest, pricing: { ...pricing, maxMicros }, expiresAtMs }
    return {
      quoteId: quoteIdOf(quote, caller.organizationId, secrets),
      expiresAtMs,
      request,
      placed,
      expiresAfterSeconds: draft.expiresAfterSeconds,
      terms,
      priceMicros: maxMicros,
      maxMicros,
    }
  }
}
