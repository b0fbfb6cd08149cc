import type { Micros } from '../../../domain/billing/micros.ts'
import { formatCostUsd } from '../../../domain/billing/usd.ts'
import type { Relay, ReplyCharge, WholeReply } from '../contract/relay.ts'
import { COST_HEADER } from '../contract/reply-sink.ts'
import type { TextCommand } from '../contract/text-command.ts'
import { type ServedEnd, servedEnd } from './vendor-call-end.ts'

/** Returns undefined when the charge is not known yet. The cost is then not reported. */
type ChargeOf = (end: ServedEnd) => ReplyCharge | undefined

/** The cost of a reply that ended well does not depend on times. */
const NO_TIMES = { firstByteMs: undefined, durationMs: 0 }

/** Adds the cost header. The headers are sent after the reply was read. */
export function reportWholeCost(
  reply: WholeReply | Promise<WholeReply>,
  headers: Record<string, string>,
  chargeOf: ChargeOf,
): WholeReply | Promise<WholeReply> {
  if (reply instanceof Promise) return reply.then((read) => reportWholeCost(read, headers, chargeOf))
  if (reply.kind === 'failed') return reply
  reply.charge = chargeOf(servedEnd('completed', reply, NO_TIMES))
  if (reply.charge !== undefined) headers[COST_HEADER] = formatCostUsd(reply.charge.priced.costMicros)
  return reply
}

/** A client that does not ask for the cost gets the bytes of the relay unchanged. */
export function reportStreamCost(relay: Relay, { wantsCost }: TextCommand, chargeOf: ChargeOf): Relay {
  if (wantsCost !== true) return relay
  return relayWithCost(relay, () => {
    const end = servedEnd('completed', relay, NO_TIMES)
    return chargeOf(end)?.priced.costMicros
  })
}

/** Adds the cost as a comment before the final event of a good reply, because many clients read nothing after that event. */
function relayWithCost(relay: Relay, costOf: () => Micros | undefined): Relay {
  let isReported = false
  const report = (bytes: Uint8Array | string): Uint8Array | string => {
    if (isReported || relay.state !== 'ended') return bytes
    isReported = true
    const cost = costOf()
    return cost === undefined ? bytes : withComment(bytes, `: cost_usd=${formatCostUsd(cost)}\n\n`)
  }
  return new Proxy(relay, {
    get(target, name) {
      if (name === 'push') return (chunk: Buffer) => report(target.push(chunk))
      if (name === 'close') return () => report(target.close())
      if (name === 'readOn') return () => report(target.readOn?.() ?? '')
      if (name === 'endWait') return () => report(target.endWait?.() ?? '')
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Inserts the comment before the final event, which begins after the last blank line that is followed by content. */
function withComment(bytes: Uint8Array | string, comment: string): Uint8Array | string {
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1')
  const content = text.trimEnd()
  const at = Math.max(0, ...BLANK_LINES.map((blank) => behindLast(content, blank)))
  if (typeof bytes === 'string') return `${text.slice(0, at)}${comment}${text.slice(at)}`
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(comment), bytes.subarray(at)])
}

const BLANK_LINES = ['\n\n', '\r\n\r\n', '\r\r']

function behindLast(text: string, blank: string): number {
  const at = text.lastIndexOf(blank)
  return at === -1 ? 0 : at + blank.length
}
