import type { PassingTarget } from '@sluice/dialects/body/pass-request'
import { type PassedReply, passReply } from '@sluice/dialects/body/reply-jobs'
import { CLIENT_DIALECTS, VENDOR_DIALECTS } from '@sluice/dialects/dialects'
import { WholeRelay } from '@sluice/dialects/passthrough/relay-whole'
import { createStreamRelay } from '@sluice/dialects/relay/relay-stream'
import { readScannedReply } from '@sluice/dialects/relay/splice-reply'
import { FRAME_BYTES_MAX, isLightReply, type WholeReply } from '../contract/relay.ts'
import type { PassedText } from '../contract/text-body.ts'
import type { TextCommand } from '../contract/text-command.ts'
import { type TextPlan, thinks } from '../contract/text-plan.ts'
import type { TextRoute } from '../route/choose-route.ts'
import type { ModelRates } from '../route/model-rates.ts'
import type { VendorIds } from '../vendor-state/vendor-ids.ts'
import type { RunReplyJob } from './heavy-reply.ts'

interface PassingTools {
  vendorIds: Pick<VendorIds, 'keep'>
  rates: Pick<ModelRates, 'reasons'>
  runReply: RunReplyJob
}

/** Plans a call for a client and a vendor of the same dialect: the bytes pass in both directions. */
export function planPassthrough(
  command: TextCommand,
  route: TextRoute,
  tools: PassingTools,
): TextPlan | Promise<TextPlan> {
  const passed = command.body.pass(passingTarget(route))
  return passed instanceof Promise
    ? passed.then((made) => passthrough(command, route, tools, made))
    : passthrough(command, route, tools, passed)
}

export function passingTarget({ provider, upstream }: TextRoute): PassingTarget {
  return {
    provider: provider.name,
    model: upstream.upstream,
    // Some vendors refuse the option `stream_options`.
    asksForUsage: provider.chat?.leavesOut.includes('stream_options') !== true,
  }
}

function passthrough(
  command: TextCommand,
  { name, provider, upstream }: TextRoute,
  { vendorIds, rates, runReply }: PassingTools,
  { body, losses, sentInputBound, countInput }: PassedText,
): TextPlan {
  const { endpoint: dialect, operation, version, betas, caller } = command
  const { hides } = provider
  const { model: asked, n, stream_options } = command.body.value
  const model = String(asked)
  const scope = { organizationId: caller.organizationId, provider: provider.name }
  // In its own vendor account an organization may name every id, so no ids are collected.
  const ids =
    provider.organizationId === undefined
      ? { ...command.body.idsToCollect(), keep: (given: readonly string[]) => vendorIds.keep(scope, given) }
      : undefined
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
    sentInputBound,
    countInput,
    openRelay() {
      const request = command.body.value
      return createStreamRelay({
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
      })
    },
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
