import { repeatedOf } from '@sluice/dialects/body/heavy-jobs'
import { type ConvertedReply, convertReply } from '@sluice/dialects/body/reply-jobs'
import type { ReplyHead, ReplyIdPrefix } from '@sluice/dialects/canonical/codec'
import { isSwitchedOff } from '@sluice/dialects/canonical/effort-of'
import type { TextRequest } from '@sluice/dialects/canonical/request'
import { CLIENT_DIALECTS, VENDOR_DIALECTS } from '@sluice/dialects/dialects'
import { readScannedReply } from '@sluice/dialects/relay/splice-reply'
import type { Clock } from '../../../ports/clock.ts'
import { isLightReply, type WholeReply } from '../contract/relay.ts'
import type { ConvertedText } from '../contract/text-body.ts'
import type { TextCommand } from '../contract/text-command.ts'
import { type TextPlan, thinks } from '../contract/text-plan.ts'
import { relayEvents } from '../relay/relay-events.ts'
import type { TextRoute } from '../route/choose-route.ts'
import type { ModelRates } from '../route/model-rates.ts'
import type { RecentItems } from '../vendor-state/recent-items.ts'
import type { RunReplyJob } from './heavy-reply.ts'

export interface ConversionTools {
  clock: Clock
  newId(prefix: ReplyIdPrefix): string
  recentItems: RecentItems
  rates: Pick<ModelRates, 'reasons'>
  runReply: RunReplyJob
}

/** Plans a call for a client and a vendor of different dialects: reader, canonical form, writer. */
export function planConversion(
  command: TextCommand,
  route: TextRoute,
  tools: ConversionTools,
): TextPlan | Promise<TextPlan> {
  const { upstream, provider, maxOutputTokens } = route
  const { upstream: model, dialect, reasons, thinking } = upstream
  const target = { model, provider: provider.name, maxOutputTokens, reasons, thinking, chat: provider.chat }
  const converted = command.body.convert({ dialect, target })
  return converted instanceof Promise
    ? converted.then((made) => conversion(command, route, tools, made))
    : conversion(command, route, tools, converted)
}

function conversion(
  { endpoint, caller, body: { value } }: TextCommand,
  { name, upstream, provider }: TextRoute,
  { clock, newId, recentItems, rates, runReply }: ConversionTools,
  converted: ConvertedText,
): TextPlan {
  const { request, toolNames, unsentStops: stopSequences, countInput } = converted
  const client = CLIENT_DIALECTS[endpoint]
  const vendor = VENDOR_DIALECTS[upstream.dialect]
  const sealsReasoning = provider.chat?.replaysReasoning ?? false
  const origin = { provider: provider.name, hides: provider.hides, toolNames, sealsReasoning }
  const nowSeconds = () => Math.floor(clock.nowMs() / 1_000)
  const head: ReplyHead = {
    id: newId(client.idPrefix),
    model: String(value.model),
    createdAtSeconds: nowSeconds(),
    nowSeconds,
    newId,
    request,
    countInput,
  }
  const onItems =
    client.items?.areKept(value) === true
      ? (items: readonly object[]) => recentItems.keep(caller, items)
      : undefined
  return {
    body: converted.body,
    losses: converted.losses,
    version: undefined,
    betas: undefined,
    sentInputBound: converted.sentInputBound,
    countInput,
    openRelay: () =>
      relayEvents({
        readStream: (emit) => vendor.readStream(origin, emit),
        writer: client.writeStream(head),
        stopSequences,
        countInput,
        thinks:
          vendor.hidesThoughts && upstream.reasons ? thinks(asksToThink(request), rates.reasons(name)) : 'no',
        hidesInput: () => converted.sentInputBound().isHidden,
        onItems,
        shrinkFrame: (data) => runReply('shrinkFrame', data, {}, caller.organizationId),
      }),
    readScanned: (scanned) => readScannedReply(scanned, { dialect: upstream.dialect, hides: provider.hides }),
    readWhole(bytes) {
      const isLight = isLightReply(bytes)
      const job = {
        endpoint,
        dialect: upstream.dialect,
        origin,
        stopSequences,
        keepsItems: onItems !== undefined,
        head: { id: head.id, model: head.model, createdAtSeconds: head.createdAtSeconds },
        nowSeconds: nowSeconds(),
      }
      if (isLight) return taken(convertReply(bytes, { ...job, request, countInput, newId }))
      const plain = {
        ...job,
        request: repeatedOf(request),
        inputTokens: countInput(),
        freshId: newId(client.idPrefix),
      }
      return runReply('convertReply', bytes, plain, caller.organizationId).then(taken)
    },
  }

  function taken({ items, ...reply }: ConvertedReply): WholeReply {
    if (items.length > 0) onItems?.(items)
    return reply
  }
}

function asksToThink({ reasoning }: TextRequest): boolean | undefined {
  return reasoning === undefined ? undefined : !isSwitchedOff(reasoning)
}
