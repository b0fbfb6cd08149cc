import type { LossName } from '../canonical/losses.ts'
import type { TextEndpoint } from '../dialect-facts.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'
import type { ValueRange } from '../passthrough/find-model.ts'
import { replaceModel } from '../passthrough/replace-model.ts'
import { type SealedRequest, unsealForeign } from '../relay/foreign-seals.ts'

/** A vendor of the client's own dialect. Plain data: it may cross to another thread. */
export interface PassingTarget {
  provider: string
  /** The vendor's own id of the model. */
  model: string
  /** The vendor accepts the option that asks for the usage of a stream. */
  asksForUsage: boolean
}

/** Builds the body for a vendor of the client's own dialect. Usually only the name of the model changes. */
export function passRequest(
  endpoint: TextEndpoint,
  request: SealedRequest & { modelRange?: ValueRange | undefined },
  { provider, model, asksForUsage }: PassingTarget,
): { body: Uint8Array; losses: readonly LossName[] } {
  const { bytes, losses } = unsealForeign(request, { dialect: endpoint, provider })
  const named = replaceModel(bytes, model, bytes === request.bytes ? request.modelRange : undefined)
  const { withUsageOption } = CLIENT_DIALECTS[endpoint].passthrough
  return { body: asksForUsage ? (withUsageOption?.(named, request.value) ?? named) : named, losses }
}
