import { isJsonObject } from '../../domain/json-object.ts'
import { countBody, countRequest } from '../../llm/count/count-tokens.ts'
import { CLIENT_WIRES, VENDOR_WIRES } from '../../llm/dialects.ts'
import { keepNumbers } from '../../llm/hub/keep-numbers.ts'
import { parseOrNone } from '../../llm/hub/parse-or-none.ts'
import { spellBody } from '../../llm/hub/spell-body.ts'
import type { ReplyHead, ReplyIdPrefix } from '../../llm/hub/wire.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TextRoute } from './choose-route.ts'
import { foldReply } from './fold-reply.ts'
import type { RecentItems } from './recent-items.ts'
import { relayEvents } from './relay-events.ts'
import type { TextCommand } from './text-command.ts'
import type { TextPlan } from './text-plan.ts'

export interface ConversionTools {
  clock: Clock
  newId(prefix: ReplyIdPrefix): string
  recentItems: RecentItems
}

/** Client and vendor speak differently: reader, hub, writer. */
export function planConversion(
  { endpoint, caller, body }: TextCommand,
  route: TextRoute,
  { clock, newId, recentItems }: ConversionTools,
): TextPlan {
  const { upstream, provider, maxOutputTokens } = route
  const client = CLIENT_WIRES[endpoint]
  const vendor = VENDOR_WIRES[upstream.dialect]
  const request = client.readRequest(keepNumbers(body.value, body.bytes))
  const written = vendor.writeRequest(request, {
    model: upstream.upstream,
    provider: provider.name,
    maxOutputTokens,
    reasons: upstream.reasons,
    chat: provider.chat,
  })
  const origin = {
    provider: provider.name,
    hides: provider.hides,
    toolNames: written.toolNames,
    sealsReasoning: provider.chat?.replaysReasoning ?? false,
  }
  const nowSeconds = () => Math.floor(clock.nowMs() / 1_000)
  const head: ReplyHead = {
    id: newId(client.idPrefix),
    model: String(body.value.model),
    createdAtSeconds: nowSeconds(),
    nowSeconds,
    newId,
    request,
  }
  const { unsentStops: stopSequences } = written
  const onItems =
    endpoint === 'responses' && body.value.store !== false
      ? (items: readonly object[]) => recentItems.keep(caller.keyId, items)
      : undefined
  const countInput = () => countRequest(request)
  const sent = spellBody(written.body, body.bytes.length)
  return {
    body: sent,
    losses: [...request.losses, ...written.losses],
    version: undefined,
    betas: undefined,
    // What is sent, and not what came: items the client only pointed to are in it by now.
    reserveInput: () => countBody({ bytes: { length: Buffer.byteLength(sent) }, value: written.body }),
    countInput,
    openRelay: () =>
      relayEvents({
        readStream: (emit) => vendor.readStream(origin, emit),
        writer: client.writeStream(head),
        stopSequences,
        countInput,
        onItems,
      }),
    readWhole(bytes) {
      const events = vendor.readReply(readBody(bytes), origin)
      return foldReply(events, { stopSequences, countInput }, (kept) => {
        const reply = client.writeReply(kept, head)
        onItems?.(Object(reply.body).output)
        return reply
      })
    },
  }
}

function readBody(bytes: Buffer): unknown {
  const json = bytes.toString('utf8')
  const value = parseOrNone(json)
  return isJsonObject(value) ? keepNumbers(value, json) : value
}
