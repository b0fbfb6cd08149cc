import type { PassedBody } from '../../../llm/body/heavy-jobs.ts'
import { type PassedReply, passReply } from '../../../llm/body/reply-jobs.ts'
import { countBody } from '../../../llm/count/count-tokens.ts'
import { countNative } from '../../../llm/count-native.ts'
import { CLIENT_DIALECTS, VENDOR_DIALECTS } from '../../../llm/dialects.ts'
import { unsealForeign } from '../../../llm/passthrough/foreign-seals.ts'
import { createStreamRelay } from '../../../llm/passthrough/relay-stream.ts'
import { WholeRelay } from '../../../llm/passthrough/relay-whole.ts'
import { replaceModel } from '../../../llm/passthrough/replace-model.ts'
import { readScannedReply } from '../../../llm/passthrough/splice-reply.ts'
import { FRAME_BYTES_MAX, isLightReply, type WholeReply } from '../relay/relay.ts'
import type { TextRoute } from '../route/choose-route.ts'
import type { ModelRates } from '../route/model-rates.ts'
import type { VendorIds } from '../route/vendor-ids.ts'
import { type HeavyCommand, isHeavy, type LightCommand, type TextCommand } from '../text-command.ts'
import type { RunReply } from './heavy-reply.ts'
import { type TextPlan, thinks } from './text-plan.ts'

interface PassingTools {
  vendorIds: Pick<VendorIds, 'keep'>
  rates: Pick<ModelRates, 'reasons'>
  runReply: RunReply
}

/** Plans a call for a client and a vendor of the same dialect: the client's bytes go out, the vendor's bytes come back. */
export function planPassthrough(command: LightCommand, route: TextRoute, tools: PassingTools): TextPlan {
  return passthrough(command, route, tools, {
    ...passedBody(command, route),
    reserveInput: () => countBody(command.body),
    countInput: () => countNative(command),
  })
}

/** Plans a passthrough whose bytes are put together on another thread. */
export async function makePassthrough(
  command: HeavyCommand,
  route: TextRoute,
  tools: PassingTools,
): Promise<TextPlan> {
  const { inputTokens, ...passed } = await passHeavy(command, route)
  return passthrough(command, route, tools, {
    ...passed,
    reserveInput: () => command.body.facts.inputCount,
    countInput: () => inputTokens,
  })
}

/** Builds the body for the vendor. */
export function passedBody(
  { endpoint: dialect, body }: LightCommand,
  { provider, upstream }: TextRoute,
): Pick<TextPlan, 'body' | 'losses'> {
  const { bytes, losses } = unsealForeign(body, { dialect, provider: provider.name })
  const place = bytes === body.bytes ? body.modelRange : undefined
  const named = replaceModel(bytes, upstream.upstream, place)
  if (!mayAskForUsage(provider)) return { body: named, losses }
  return { body: CLIENT_DIALECTS[dialect].passthrough.withUsageOption?.(named, body.value) ?? named, losses }
}

/** Some vendors refuse the option `stream_options`. */
function mayAskForUsage({ chat }: TextRoute['provider']): boolean {
  return chat?.leavesOut.includes('stream_options') !== true
}

export function passHeavy({ endpoint, body }: HeavyCommand, route: TextRoute): Promise<PassedBody> {
  const { items, changes, asksForSummary, ownIds } = body
  const model = route.upstream.upstream
  const { provider } = route
  const asksForUsage = mayAskForUsage(provider)
  const named = { endpoint, provider: provider.name, model }
  return body.run('pass', { ...named, items, changes, asksForSummary, ownIds, asksForUsage })
}

type OwnPart = Pick<TextPlan, 'body' | 'losses' | 'reserveInput' | 'countInput'>

function passthrough(
  command: TextCommand,
  { name, provider, upstream }: TextRoute,
  { vendorIds, rates, runReply }: PassingTools,
  { body, losses, reserveInput, countInput }: OwnPart,
): TextPlan {
  const { endpoint: dialect, operation, version, betas, caller } = command
  const { hides } = provider
  const request = command.body.value
  const model = String(request.model)
  const scope = { organizationId: caller.organizationId, provider: provider.name }
  // An organization may name every id in a vendor account of its own.
  const ids =
    provider.organizationId === undefined
      ? {
          ...(isHeavy(command)
            ? command.body.facts.idsToCollect
            : CLIENT_DIALECTS[dialect].passthrough.idsToCollect(command.body.value)),
          keep: (given: readonly string[]) => vendorIds.keep(scope, given),
        }
      : undefined
  const { n, stream_options } = request
  const listening = { dialect, model, hides, request: { n, stream_options } }
  const idsToCollect = ids && { reply: ids.reply, items: ids.items, files: ids.files }
  const reading = { dialect, operation, model, hides, idsToCollect }
  const taken = ({ ids: given, ...reply }: PassedReply): WholeReply => {
    if (given.length > 0) ids?.keep(given)
    return reply
  }
  const readScanned: TextPlan['readScanned'] = (scanned) =>
    readScannedReply(scanned, { dialect, operation, hides })
  return {
    operation,
    body,
    losses,
    version,
    betas,
    reserveInput,
    countInput,
    openRelay: () =>
      createStreamRelay({
        thinks:
          VENDOR_DIALECTS[dialect].hidesThoughts && upstream.reasons
            ? thinks(CLIENT_DIALECTS[dialect].passthrough.asksToThink?.(request), rates.reasons(name))
            : 'no',
        dialect,
        model,
        request,
        hides,
        ids,
        maxFrameBytes: FRAME_BYTES_MAX,
        large: {
          isLarge: (frame) => !isLightReply(frame),
          read: (frame) => runReply('passFrame', frame, listening, caller.organizationId),
        },
      }),
    readWhole(bytes) {
      if (isLightReply(bytes)) return taken(passReply(bytes, reading))
      return runReply('passReply', bytes, reading, caller.organizationId).then(taken)
    },
    readScanned,
    openWholeRelay: CLIENT_DIALECTS[dialect].passthrough.passesOnWhole
      ? () => new WholeRelay({ model, read: readScanned })
      : undefined,
  }
}
