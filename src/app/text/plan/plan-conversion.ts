import { convertRequest } from '../../../llm/body/convert-request.ts'
import { type ConvertedBody, repeatedOf } from '../../../llm/body/heavy-jobs.ts'
import { type ConvertedReply, convertReply } from '../../../llm/body/reply-jobs.ts'
import type { ReplyHead, ReplyIdPrefix } from '../../../llm/canonical/codec.ts'
import { isSwitchedOff } from '../../../llm/canonical/effort-of.ts'
import type { TextRequest } from '../../../llm/canonical/request.ts'
import { countBody, countRequest } from '../../../llm/count/count-tokens.ts'
import { CLIENT_DIALECTS, VENDOR_DIALECTS } from '../../../llm/dialects.ts'
import { readScannedReply } from '../../../llm/passthrough/splice-reply.ts'
import { serializeBody } from '../../../llm/values/serialize-body.ts'
import type { Clock } from '../../../ports/clock.ts'
import { isLightReply, type WholeReply } from '../relay/relay.ts'
import { relayEvents } from '../relay/relay-events.ts'
import type { TextRoute } from '../route/choose-route.ts'
import type { ModelRates } from '../route/model-rates.ts'
import type { RecentItems } from '../route/recent-items.ts'
import type { HeavyCommand, LightCommand, TextCommand } from '../text-command.ts'
import type { RunReply } from './heavy-reply.ts'
import { type TextPlan, thinks } from './text-plan.ts'

export interface ConversionTools {
  clock: Clock
  newId(prefix: ReplyIdPrefix): string
  recentItems: RecentItems
  rates: Pick<ModelRates, 'reasons'>
  runReply: RunReply
}

/** Plans a call for a client and a vendor of different dialects: reader, canonical form, writer. */
export function planConversion(command: LightCommand, route: TextRoute, tools: ConversionTools): TextPlan {
  const { bytes } = command.body
  const { request, written } = convertRequest(command.body, conversionOf(command, route))
  const { toolNames, unsentStops, losses } = written
  const body = serializeBody(written.body, bytes.length)
  return conversion(command, route, {
    ...tools,
    body,
    request,
    toolNames,
    unsentStops,
    losses: [...request.losses, ...losses],
    // The sent body is counted: it contains the items that the client only referred to.
    reserveInput: () => countBody({ bytes: { length: Buffer.byteLength(body) }, value: written.body }),
    countInput: () => countRequest(request),
  })
}

/** Plans a call whose request is converted on another thread. */
export async function makeConversion(
  command: HeavyCommand,
  route: TextRoute,
  tools: ConversionTools,
): Promise<TextPlan> {
  const { run, items, changes, asksForSummary, facts } = command.body
  const { inputTokens, ...converted } = await run('convert', {
    ...conversionOf(command, route),
    items,
    changes,
    asksForSummary,
  })
  return conversion(command, route, {
    ...tools,
    ...converted,
    reserveInput: () => facts.inputCount,
    countInput: () => inputTokens,
  })
}

function conversionOf({ endpoint }: TextCommand, { upstream, provider, maxOutputTokens }: TextRoute) {
  const { upstream: model, dialect, reasons } = upstream
  const target = { model, provider: provider.name, maxOutputTokens, reasons, chat: provider.chat }
  return { endpoint, dialect, target }
}

type Converted = Omit<ConvertedBody, 'body' | 'inputTokens'> &
  Pick<TextPlan, 'body' | 'reserveInput' | 'countInput'>

function conversion(
  { endpoint, caller, body: { value } }: TextCommand,
  { name, upstream, provider }: TextRoute,
  { clock, newId, recentItems, rates, runReply, ...converted }: Converted & ConversionTools,
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
    reserveInput: converted.reserveInput,
    countInput,
    openRelay: () =>
      relayEvents({
        readStream: (emit) => vendor.readStream(origin, emit),
        writer: client.writeStream(head),
        stopSequences,
        countInput,
        thinks:
          vendor.hidesThoughts && upstream.reasons ? thinks(asksToThink(request), rates.reasons(name)) : 'no',
        hidesInput: () => converted.reserveInput().isHidden,
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
