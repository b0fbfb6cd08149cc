import type { StreamError } from '@sluice/dialects/canonical/reply-event'
import { BROKEN_OFF } from '@sluice/dialects/canonical/stream-failures'
import { ApiError } from '../../../domain/api-error.ts'
import type { TextNetworkError } from '../../../ports/text-provider.ts'
import type { Runtime } from '../../runtime.ts'
import type { GoodReply, Relay, VendorAnswer } from '../contract/relay.ts'
import type { ReplySink } from '../contract/reply-sink.ts'
import type { LiveReplies, ReplyOwner } from '../relay/live-replies.ts'
import type { TextVendorError, TextVendorErrorContext } from './text-vendor-error.ts'

/** End of a call: a reply, or an error before any reply. `reached`: the vendor may have received the request. */
export type VendorCallEnd = ServedEnd | { kind: 'refused'; refused: TextVendorError; reached: boolean }

export interface ServedEnd
  extends Pick<GoodReply, 'tokens' | 'vendorUsage' | 'outputBytes' | 'charge' | 'unusable'> {
  kind: 'served'
  outcome: 'completed' | 'failed' | 'hung-up'
  /** Whether the reply was read to its end; after a hang-up, whether it was read up to the vendor's full usage. */
  isReadToEnd: boolean
  /** Whether the vendor's usage covers all output so far. */
  isAllCounted?: boolean | undefined
  /** Set when a part of the output was hidden: the length of its proofs, and the duration so far. */
  hidden?: { proofCharacters: number; durationMs: number } | undefined
  /** Whether the reply was too large. The vendor did its work, so the reply is charged even if the client got none of it. */
  isTooLarge?: boolean | undefined
  hostedCalls?: number | undefined
  firstByteMs: number | undefined
  /** Reason why a reply broke off after it had begun. */
  failure?: StreamError | undefined
  /** Whether the client got the beginning of the reply; left out: false. */
  hasBegun?: boolean
  losses: Iterable<string>
}

interface Times {
  firstByteMs: number | undefined
  durationMs: number
  hasBegun?: boolean
}

/**
 * Builds the end of a call from a whole reply or a stream. `received` is undefined if the client left before a whole
 * reply: all output then counts as hidden. `unusable` is the error for the client in place of a stream that is charged.
 */
export function servedEnd(
  outcome: ServedEnd['outcome'],
  received: GoodReply | Relay | undefined,
  { firstByteMs, durationMs, hasBegun = false }: Times,
  unusable?: ApiError,
): ServedEnd {
  const kind = 'served'
  if (received === undefined) {
    const hidden = { proofCharacters: 0, durationMs }
    const nothing = { tokens: undefined, outputBytes: 0, isReadToEnd: false, losses: [] }
    return { kind, outcome, ...nothing, firstByteMs, hidden }
  }
  const { tokens, vendorUsage, outputBytes, losses } = received
  if ('kind' in received) {
    const { charge, unusable } = received
    const counted = { tokens, vendorUsage, outputBytes, isReadToEnd: true, charge }
    const isFailed = unusable !== undefined && outcome === 'completed'
    return { kind, outcome: isFailed ? 'failed' : outcome, ...counted, firstByteMs, unusable, losses }
  }
  const isCounted = outcome === 'hung-up' && received.isCounted === true
  const isReadToEnd = isCounted || (received.state === 'ended' && !received.endedEarly)
  const end = { kind, outcome, tokens, vendorUsage, outputBytes, isReadToEnd, firstByteMs, losses } as const
  if (isReadToEnd) return isCounted ? { ...end, hasBegun } : end
  const { reasoning, hostedCalls, isAllCounted, failure } = received
  const hidden = reasoning === undefined ? undefined : { ...reasoning, durationMs }
  const isTooLarge = failure?.kind === 'too-large'
  return { ...end, isAllCounted, hidden, hostedCalls, isTooLarge, unusable, failure, hasBegun }
}

export interface VendorCallTools extends Pick<Runtime, 'clock' | 'log'> {
  live: LiveReplies
  /** Maximum wait for the vendor's usage after the client has left or has its whole reply. */
  hangUpListenMs: number
  /** Maximum time for which the first events of a stream are held back before content comes; 0: they are not. */
  holdBackMs: number
}

export interface VendorCallParts {
  sink: ReplySink
  headers: Record<string, string>
  caller: ReplyOwner
  errorContext: TextVendorErrorContext
  /** Whether only the vendor knows the number of input tokens. */
  hidesInput(): boolean
  answer: VendorAnswer
}

const TOO_LATE: StreamError = { kind: 'too-late', message: 'The provider fell silent.' }

export function unusableFor({ message }: StreamError): ApiError {
  return new ApiError('reply_too_large', { message })
}

export function failureOfSilence({ kind }: TextNetworkError): StreamError {
  return kind.startsWith('timeout') ? TOO_LATE : BROKEN_OFF
}

export function failureOfApiError({ apiError, isVendorFault }: TextVendorError): StreamError {
  const { code, message } = apiError
  if (code === 'context_length_exceeded') return { kind: 'too-long', message }
  return { kind: isVendorFault ? 'vendor' : 'refused', message }
}
