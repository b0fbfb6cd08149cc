import { NOT_A_REPLY } from '@sluice/dialects/passthrough/stream-listener'
import { ApiError } from '../../../domain/api-error.ts'
import type { Log } from '../../../ports/log.ts'
import { RELAYED_BYTES_MIN, type Relay, type VendorAnswer, type WholeReply } from '../contract/relay.ts'
import type { VendorSide } from './vendor-side.ts'

/** Opens a relay for a whole reply that became too large to collect. undefined: the reply is small, or cannot be relayed. */
export function relayOfLarge(answer: VendorAnswer, { bytes }: VendorSide): Relay | undefined {
  if (answer.kind !== 'whole' || bytes < RELAYED_BYTES_MIN) return undefined
  return answer.openRelay?.()
}

/** Reads a complete whole reply. Never rejects, but may throw. */
export function readCollected(
  answer: VendorAnswer,
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
 * Charges a reply whose bytes are gone, because it was too large to keep or its thread died. The vendor has done its work,
 * so the charge is based on the scan, and no other vendor is asked.
 */
function unkeptReply(answer: VendorAnswer, { scanned }: VendorSide): WholeReply {
  const read = answer.kind === 'whole' ? answer.readScanned(scanned) : NOT_A_REPLY
  if ('kind' in read) return { kind: 'failed', failure: read }
  return { kind: 'reply', body: '', ...read, losses: [], unusable: new ApiError('reply_too_large') }
}
