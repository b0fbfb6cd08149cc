import { BYTES_PER_TOKEN_MIN } from '@sluice/dialects/count/count-text'
import { readEmbeddings, readScannedEmbeddings } from '@sluice/dialects/embeddings'
import { WholeRelay } from '@sluice/dialects/passthrough/relay-whole'
import { requireAllowedModel } from '../../domain/access/allowed-models.ts'
import type { Caller } from '../../domain/access/api-key.ts'
import type { ApiError } from '../../domain/api-error.ts'
import { reserveForText } from '../../domain/billing/reserve-for-text.ts'
import type { Spend } from '../billing/spend.ts'
import type { UsageClaim } from '../billing/spent.ts'
import { type AnswerTextParts, errorIn } from './answer-text.ts'
import { inputBoundsOf } from './call/clamp-tokens.ts'
import { reportWholeCost } from './call/report-cost.ts'
import { type ChargeBasis, chargeFor, usageOf, usageOfRefused } from './call/usage-of.ts'
import { VendorCall } from './call/vendor-call.ts'
import type { VendorCallEnd } from './call/vendor-call-end.ts'
import { type ReplySink, SERVED_BY_HEADER } from './contract/reply-sink.ts'
import type { EmbeddingsCommand } from './contract/text-command.ts'
import { routeOrNone, type TextRoute } from './route/choose-route.ts'

/** Resolves when the vectors are sent. Rejects with an `ApiError` if nothing was sent yet. */
export type CreateEmbeddings = (command: EmbeddingsCommand, sink: ReplySink) => Promise<void>

/**
 * Fallbacks never serve embeddings, because vectors of different models cannot be compared. The targets of a route are
 * deployments of one model, so after a failure the next target is asked. When none serves, the client gets the first
 * error, and the usage row names the last vendor reached.
 */
export function createEmbeddings(
  parts: Omit<
    AnswerTextParts,
    'planCall' | 'recentItems' | 'summaries' | 'readHeavyBody' | 'keepToOwnIds' | 'rates'
  >,
): CreateEmbeddings {
  const { prices, chooseRoute, beginSpend, clock, metrics } = parts

  return async (command, sink) => {
    const beganMs = clock.monotonicMs()
    const { caller, body, claim } = command
    const { organizationId } = caller
    const found = await prices.findModel(body.model, organizationId)
    const name = requireAllowedModel(caller, body.model, found)
    const question = {
      endpoint: 'embeddings',
      operation: 'embed',
      name,
      organizationId,
      isStream: false,
    } as const
    let route = chooseRoute(found, { ...question, triedTargets: 0 })
    const spend = await beginSpend(caller, reserveForText(route.prices, boundsOf(command)))
    try {
      const first = await ask(route, command, sink)
      let { end } = first
      let reached = first
      while (end.kind === 'refused' && end.refused.isVendorFault && route.triedTargets !== undefined) {
        const { triedTargets } = route
        const next = routeOrNone(() => chooseRoute(found, { ...question, triedTargets }))
        if (next === undefined) break
        route = next
        const attempt = await ask(route, command, sink)
        end = attempt.end
        if (end.kind === 'served' || end.reached) reached = attempt
      }
      const measured = { ...reached.measured, durationMs: clock.monotonicMs() - beganMs }
      const refused = errorIn(end.kind === 'served' ? end : first.end)
      settle(reached.end, { spend, sink, caller, claim, measured, refused })
    } finally {
      // After a settlement `abandon` does nothing.
      await spend.abandon()
    }
  }

  async function ask(route: TextRoute, { requestId, caller, body }: EmbeddingsCommand, sink: ReplySink) {
    const { provider, upstream } = route
    const sentBody = await body.withModel(upstream.upstream)
    const measured: ChargeBasis = {
      requestId,
      operation: 'embeddings',
      route,
      durationMs: 0,
      losses: [],
      maxOutputTokens: 0,
      countInput: () => body.countInput(),
      tokensPerSecond: () => 0,
      bounds: inputBoundsOf(sentBody),
      onClamped: () => parts.log.warn('usage.clamped', { provider: provider.name, reason: route.name }),
    }
    const headers = { 'content-type': 'application/json; charset=utf-8', [SERVED_BY_HEADER]: route.name }
    const vendorCall = new VendorCall(parts, {
      sink,
      caller,
      headers,
      errorContext: { hides: provider.hides },
      hidesInput: () => false,
      answer: {
        kind: 'whole',
        read: (reply) =>
          reportWholeCost(readEmbeddings(reply, body.model), headers, (end) => chargeFor(end, measured)),
        readScanned: readScannedEmbeddings,
        openRelay: () => new WholeRelay({ model: body.model, read: readScannedEmbeddings, hasText: false }),
      },
    })
    const { organizationId } = caller
    const { dialect, upstream: model } = upstream
    const sent = { dialect, body: sentBody, version: undefined, betas: undefined }
    const call = { organizationId, model, operation: 'embed', ...sent } as const
    vendorCall.begin(() => provider.send(call, vendorCall))
    return { end: await vendorCall.ended, measured }
  }

  /** Throws `refused`, the error for the client, after the charge. */
  function settle(end: VendorCallEnd, settlement: EmbeddingsSettlement): void {
    const { spend, sink, caller, claim, measured, refused } = settlement
    const { route, durationMs } = measured
    if (end.kind === 'served') {
      const usage = usageOf(end, measured)
      spend.finish(usage, claim)
      metrics.textReplyEnded(caller.keyId, usage)
      sink.settled?.(usage)
      if (route.routedFrom !== undefined) metrics.routeServed({ asked: route.routedFrom, served: route.name })
    } else if (end.reached) {
      // A refused request finishes no claim, so its Idempotency-Key may be used again.
      spend.finish(usageOfRefused(measured, refused ?? end.refused.apiError))
      sink.recorded?.()
    }
    if (refused === undefined) return
    const failed = { model: route.name, provider: route.provider.name, code: refused.code }
    if (end.kind === 'refused') metrics.textRefused({ ...failed, operation: 'embeddings', durationMs })
    else metrics.textReplyUnusable(failed)
    throw refused
  }
}

interface EmbeddingsSettlement {
  spend: Spend
  sink: ReplySink
  caller: Caller
  claim: UsageClaim | undefined
  measured: ChargeBasis
  refused: ApiError | undefined
}

/** Each input may be as long as the model's context, so only the length of the request limits their sum. */
function boundsOf({ body: { length } }: EmbeddingsCommand) {
  return {
    inputTokens: Math.ceil(length / BYTES_PER_TOKEN_MIN),
    inputTokensMax: length,
    contextTokens: length,
    maxOutputTokens: 0,
    refersOutside: false,
  }
}
