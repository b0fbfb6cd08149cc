import { isJsonObject } from '../../../domain/json-object.ts'
import { convertRequest } from '../../../llm/body/convert-request.ts'
import type { ConvertedBody } from '../../../llm/body/heavy-jobs.ts'
import type { ReplyHead, ReplyIdPrefix, WriteReply } from '../../../llm/canonical/codec.ts'
import { isSwitchedOff } from '../../../llm/canonical/effort-of.ts'
import { createGuard } from '../../../llm/canonical/guard.ts'
import type { ReplyEvent, StreamError } from '../../../llm/canonical/reply-event.ts'
import type { TextRequest } from '../../../llm/canonical/request.ts'
import { countBody, countRequest } from '../../../llm/count/count-tokens.ts'
import { CLIENT_DIALECTS, VENDOR_DIALECTS } from '../../../llm/dialects.ts'
import { cutAtSequence } from '../../../llm/stops/stop-at-sequence.ts'
import { keepNumbers } from '../../../llm/values/keep-numbers.ts'
import { serializeBody } from '../../../llm/values/serialize-body.ts'
import { parseOrNone } from '../../../llm/values/values.ts'
import type { Clock } from '../../../ports/clock.ts'
import { countedTokens } from '../call/counted-tokens.ts'
import type { WholeReply } from '../relay/relay.ts'
import { relayEvents } from '../relay/relay-events.ts'
import type { TextRoute } from '../route/choose-route.ts'
import type { ModelRates } from '../route/model-rates.ts'
import type { RecentItems } from '../route/recent-items.ts'
import type { HeavyCommand, LightCommand, TextCommand } from '../text-command.ts'
import { type TextPlan, thinks } from './text-plan.ts'

export interface ConversionTools {
  clock: Clock
  newId(prefix: ReplyIdPrefix): string
  recentItems: RecentItems
  rates: Pick<ModelRates, 'reasons'>
}

/** Client and vendor use different dialects: reader, canonical form, writer. */
export function planConversion(command: LightCommand, route: TextRoute, tools: ConversionTools): TextPlan {
  const { bytes } = command.body
  const { request, written } = convertRequest(command.body, conversionOf(command, route))
  const { toolNames, unsentStops, losses } = written
  const body = serializeBody(written.body, bytes.length)
  return conversion(command, route, {
    ...tools,
    ...{ body, request, toolNames, unsentStops },
    losses: [...request.losses, ...losses],
    // What is sent, and not what came: items the client only pointed to are in it by now.
    reserveInput: () => countBody({ bytes: { length: Buffer.byteLength(body) }, value: written.body }),
    countInput: () => countRequest(request),
  })
}

/** The same for a request that is converted on another thread. */
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
  { clock, newId, recentItems, rates, ...converted }: Converted & ConversionTools,
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
      }),
    readWhole(bytes) {
      const body = readBody(bytes)
      const events = vendor.readReply(body, origin)
      const folded = foldReply(events, { stopSequences, countInput }, (kept) => {
        const reply = client.writeReply(kept, head)
        onItems?.(reply.items ?? [])
        return reply
      })
      return isJsonObject(body) ? { ...folded, vendorUsage: body.usage } : folded
    },
  }
}

function asksToThink({ reasoning }: TextRequest): boolean | undefined {
  return reasoning === undefined ? undefined : !isSwitchedOff(reasoning)
}

function readBody(bytes: Buffer): unknown {
  const json = bytes.toString('utf8')
  const value = parseOrNone(json)
  return isJsonObject(value) ? keepNumbers(value, json) : value
}

/** A whole reply from its events, held to the same grammar as a stream and cut at the same sequences. */
export function foldReply(
  read: readonly ReplyEvent[],
  { stopSequences, countInput }: { stopSequences: readonly string[]; countInput(): number },
  write: (events: readonly ReplyEvent[]) => ReturnType<WriteReply>,
): WholeReply {
  const guarded: ReplyEvent[] = []
  const guard = createGuard((event) => guarded.push(event))
  for (const event of read) guard(event)
  const events = stopSequences.length === 0 ? guarded : cutAtSequence(guarded, stopSequences)
  const last = events.at(-1)
  if (last?.kind !== 'reply-end')
    return { kind: 'failed', failure: last?.kind === 'reply-failed' ? last.failure : UNREADABLE }
  let outputBytes = 0
  for (const event of events) if (event.kind === 'block-delta') outputBytes += Buffer.byteLength(event.text)
  const tokens = countedTokens(last.tokens, { countInput, outputBytes })
  const { body, losses } = write(events.with(-1, { ...last, tokens }))
  return { kind: 'reply', body: JSON.stringify(body), tokens, outputBytes, losses }
}

const UNREADABLE: StreamError = { kind: 'broken', message: 'The provider sent something that is no reply.' }
