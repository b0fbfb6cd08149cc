import { requireAllowedModel } from '../../domain/access/allowed-models.ts'
import type { Caller } from '../../domain/access/api-key.ts'
import { reserveForText } from '../../domain/billing/reserve-for-text.ts'
import type { JsonObject } from '../../domain/json-object.ts'
import { BYTES_PER_TOKEN_MIN } from '../../llm/count/count-text.ts'
import { countText } from '../../llm/count/count-tokens.ts'
import { readEmbeddings } from '../../llm/embeddings.ts'
import type { Spend } from '../billing/spend.ts'
import type { AnswerTextParts } from './answer-text.ts'
import { chargeFor, type Measured, usageOf, usageOfRefused } from './call/usage-of.ts'
import { VendorCall } from './call/vendor-call.ts'
import type { VendorCallEnd } from './call/vendor-call-end.ts'
import { type ReplySink, SERVED_BY_HEADER } from './relay/reply-sink.ts'
import { tellWholeCost } from './relay/tell-cost.ts'
import { chooseRoute } from './route/choose-route.ts'

/** A request for embeddings that fits its schema. */
export interface EmbeddingsCommand {
  requestId: string
  caller: Caller
  body: JsonObject
}

/** Resolves when the vectors are sent; rejects with an `ApiError` while nothing was. */
export type CreateEmbeddings = (command: EmbeddingsCommand, sink: ReplySink) => Promise<void>

/** No fallback serves: vectors of one model mean nothing beside those of another. */
export function createEmbeddings(
  parts: Omit<AnswerTextParts, 'planCall' | 'recentItems' | 'keepToOwnIds' | 'rates'>,
): CreateEmbeddings {
  const { prices, findProvider, beginSpend, clock, metrics } = parts

  return async ({ requestId, caller, body }, sink) => {
    const beganMs = clock.monotonicMs()
    const { organizationId } = caller
    const name = requireAllowedModel(caller, String(body.model))
    const offeredNames = () => prices.offeredNames(organizationId)
    const found = await prices.findModel(name, organizationId)
    const route = chooseRoute(found, { endpoint: 'embeddings', name, findProvider, offeredNames })
    const { provider, upstream } = route
    const sent = JSON.stringify({ ...body, model: upstream.upstream })
    const spend = await beginSpend(caller, reserveForText(route.prices, boundsOf(sent)))
    const measured: Measured = {
      ...{ requestId, route, durationMs: 0, losses: [], maxOutputTokens: 0 },
      countInput: () => countInput(body.input),
      tokensPerSecond: () => 0,
    }
    const headers = { 'content-type': 'application/json; charset=utf-8', [SERVED_BY_HEADER]: name }
    const vendorCall = new VendorCall(parts, {
      ...{ sink, caller, headers },
      errorContext: { hides: provider.hides },
      hidesInput: () => false,
      answer: {
        kind: 'whole',
        read: (reply) =>
          tellWholeCost(readEmbeddings(reply, name), headers, (end) => chargeFor(end, measured)),
      },
    })
    const { dialect, upstream: model } = upstream
    const call = { organizationId, model, dialect, operation: 'embed', body: sent } as const
    try {
      vendorCall.begin(() => provider.send({ ...call, version: undefined, betas: undefined }, vendorCall))
      const end = await vendorCall.ended
      settle(end, {
        spend,
        sink,
        caller,
        measured: { ...measured, durationMs: clock.monotonicMs() - beganMs },
      })
    } finally {
      // After a settlement this changes nothing.
      await spend.abandon()
    }
  }

  function settle(end: VendorCallEnd, { spend, sink, caller, measured }: Settling): void {
    const { route, durationMs } = measured
    if (end.kind === 'served') {
      const usage = usageOf(end, measured)
      spend.finish(usage)
      metrics.textReplyEnded(caller.keyId, usage)
      sink.settled?.(usage)
      return
    }
    const { apiError } = end.refused
    if (end.reached) spend.finish(usageOfRefused(measured))
    metrics.textRefused({
      ...{ model: route.name, provider: route.provider.name, code: apiError.code, durationMs },
    })
    throw apiError
  }
}

interface Settling {
  spend: Spend
  sink: ReplySink
  caller: Caller
  measured: Measured
}

/** Each input has the model's context for itself, so only the length of the request bounds them all. */
function boundsOf(sent: string) {
  const bytes = Buffer.byteLength(sent)
  return {
    inputTokens: Math.ceil(bytes / BYTES_PER_TOKEN_MIN),
    ...{ inputTokensMax: bytes, contextTokens: bytes, maxOutputTokens: 0, pointsElsewhere: false },
  }
}

/** Texts, or tokens that the client has counted itself. */
function countInput(input: unknown): number {
  if (typeof input === 'string') return countText(input)
  if (typeof input === 'number') return 1
  return Array.isArray(input) ? input.reduce((sum: number, one) => sum + countInput(one), 0) : 0
}
