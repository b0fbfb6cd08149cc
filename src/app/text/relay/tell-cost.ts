import type { Micros } from '../../../domain/billing/micros.ts'
import { formatCostUsd } from '../../../domain/billing/usd.ts'
import { type ServedEnd, servedEnd } from '../call/vendor-call-end.ts'
import type { TextCommand } from '../text-command.ts'
import type { Charge, Relay, WholeReply } from './relay.ts'
import { COST_HEADER } from './reply-sink.ts'

/** undefined: not known yet, so the client is not told. */
type ChargeOf = (end: ServedEnd) => Charge | undefined

/** The cost of a reply that ended well does not depend on them. */
const NO_TIMES = { firstByteMs: undefined, durationMs: 0 }

/** Adds the header of the cost. The headers leave after the reply was read. */
export function tellWholeCost(
  reply: WholeReply | Promise<WholeReply>,
  headers: Record<string, string>,
  chargeOf: ChargeOf,
): WholeReply | Promise<WholeReply> {
  if (reply instanceof Promise) return reply.then((read) => tellWholeCost(read, headers, chargeOf))
  if (reply.kind === 'failed') return reply
  reply.charge = chargeOf(servedEnd('completed', reply, NO_TIMES))
  if (reply.charge !== undefined) headers[COST_HEADER] = formatCostUsd(reply.charge.priced.costMicros)
  return reply
}

/** A client that does not ask for the cost gets the very bytes of the relay. */
export function tellStreamCost(relay: Relay, { wantsCost }: TextCommand, chargeOf: ChargeOf): Relay {
  if (wantsCost !== true) return relay
  return relayWithCost(relay, () => {
    const end = servedEnd('completed', relay, NO_TIMES)
    return chargeOf(end)?.priced.costMicros
  })
}

/**
 * The same relay, with the cost as a comment directly before the event that ends a good reply: many clients stop reading
 * there. Every other byte stays.
 */
function relayWithCost(relay: Relay, costOf: () => Micros | undefined): Relay {
  let isTold = false
  const tell = (bytes: Uint8Array | string): Uint8Array | string => {
    if (isTold || relay.state !== 'ended') return bytes
    isTold = true
    const cost = costOf()
    return cost === undefined ? bytes : withComment(bytes, `: cost_usd=${formatCostUsd(cost)}\n\n`)
  }
  return new Proxy(relay, {
    get(target, name) {
      if (name === 'push') return (chunk: Buffer) => tell(target.push(chunk))
      if (name === 'close') return () => tell(target.close())
      if (name === 'readOn') return () => tell(target.readOn?.() ?? '')
      if (name === 'endWait') return () => tell(target.endWait?.() ?? '')
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Before the last event, which begins behind the last blank line that something follows. */
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
