import { countBody } from '../../llm/count/count-tokens.ts'
import { unsealForeign } from '../../llm/passthrough/foreign-seals.ts'
import { createStreamRelay } from '../../llm/passthrough/relay-stream.ts'
import { replaceModel } from '../../llm/passthrough/replace-model.ts'
import { idsWorthKeeping } from '../../llm/passthrough/reply-ids.ts'
import { spliceReply } from '../../llm/passthrough/splice-reply.ts'
import type { TextRoute } from './choose-route.ts'
import { countNative } from './count-native.ts'
import { FRAME_BYTES_MAX } from './relay.ts'
import type { TextCommand } from './text-command.ts'
import type { TextPlan } from './text-plan.ts'
import type { VendorIds } from './vendor-ids.ts'

/** Client and vendor speak the same: the client's own bytes go out, and the vendor's come back. */
export function planPassthrough(
  command: TextCommand,
  { provider, upstream }: TextRoute,
  vendorIds: Pick<VendorIds, 'keep'>,
): TextPlan {
  const { endpoint: dialect, body, version, betas, caller } = command
  const { hides } = provider
  const model = String(body.value.model)
  const scope = { organizationId: caller.organizationId, provider: provider.name }
  // In an account of its own an organization may name everything.
  const ids =
    provider.organizationId === undefined
      ? {
          ...idsWorthKeeping(dialect, body.value),
          keep: (given: readonly string[]) => vendorIds.keep(scope, given),
        }
      : undefined
  const { bytes, losses } = unsealForeign(body, { dialect, provider: provider.name })
  return {
    body: replaceModel(bytes, upstream.upstream, bytes === body.bytes ? body.modelPlace : undefined),
    losses,
    version,
    betas,
    reserveInput: () => countBody(body),
    countInput: () => countNative(command),
    openRelay: () => createStreamRelay({ dialect, model, hides, ids, maxFrameBytes: FRAME_BYTES_MAX }),
    readWhole: (reply) => spliceReply(reply, { dialect, model, hides, ids }),
  }
}
