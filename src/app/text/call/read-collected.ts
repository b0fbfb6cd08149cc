import { ApiError } from '../../../domain/api-error.ts'
import { NOT_A_REPLY } from '../../../llm/passthrough/stream-listener.ts'
import type { Log } from '../../../ports/log.ts'
import { type Answer, RELAYED_BYTES_MIN, type Relay, type WholeReply } from '../relay/relay.ts'
import type { VendorSide } from './vendor-side.ts'

/** The relay for a whole reply that is so large now that it is passed on while it comes. undefined: it is not, or cannot be. */
export function relayOfLarge(answer: Answer, { bytes }: VendorSide): Relay | undefined {
  if (answer.kind !== 'whole' || bytes < RELAYED_BYTES_MIN) return undefined
  return answer.openRelay?.()
}

/** Reads a whole reply that has come to its end; never rejects, though it may throw. */
export function readCollected(
  answer: Answer,
  vendor: VendorSide,
  log: Log,
): WholeReply | Promise<WholeReply> {
  if (vendor.isTooLarge || answer.kind !== 'whole') return unkeptReply(answer, vendor)
  const reply = answer.read(vendor.joined())
  if (!(reply instanceof Promise)) return reply
  return reply.catch((error: unknown) => {
    log.error('reply.read_failed', { error })
    return unkeptReply(answer, vendor)
  })
}

/**
 * A reply whose bytes are gone: it was too large to be kept, or the thread that read it died of it. The vendor has done its
 * work, so the reply is charged by what was scanned of it, and no other vendor is asked.
 */
function unkeptReply(answer: Answer, { scanned }: VendorSide): WholeReply {
  const read = answer.kind === 'whole' && scanned !== undefined ? answer.readScanned(scanned) : NOT_A_REPLY
  if ('kind' in read) return { kind: 'failed', failure: read }
  return { kind: 'reply', body: '', ...read, losses: [], unusable: new ApiError('reply_too_large') }
}
