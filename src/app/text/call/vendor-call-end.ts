import type { ApiError } from '../../../domain/api-error.ts'
import type { ReplyTokens, StreamError } from '../../../llm/canonical/reply-event.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { TextNetworkError } from '../../../ports/text-provider.ts'
import type { LiveReplies, ReplyOwner } from '../relay/live-replies.ts'
import type { Answer, Charge, GoodReply, Relay } from '../relay/relay.ts'
import type { ReplySink } from '../relay/reply-sink.ts'
import type { TextVendorError, TextVendorErrorContext } from './text-vendor-error.ts'

/**
 * How a call ended: with a reply, or with an error and nothing sent to the client. `reached` is true when the
 * vendor may have seen the request.
 */
export type VendorCallEnd = ServedEnd | { kind: 'refused'; refused: TextVendorError; reached: boolean }

export interface ServedEnd {
  kind: 'served'
  outcome: 'completed' | 'failed' | 'hung-up'
  tokens: ReplyTokens | undefined
  /** The vendor's usage object as it came. */
  vendorUsage?: unknown
  outputBytes: number
  /** The vendor's reply was read to its end, or up to its full count by a client that then hung up. */
  isReadToEnd: boolean
  /** The vendor's count is of all that came out so far. */
  isAllCounted?: boolean | undefined
  /** Where a part of it was hidden: how long the proofs of that were, and how long it took so far. */
  hidden?: { proofBytes: number; durationMs: number } | undefined
  /** How often the vendor was seen to run a tool of its own. */
  hostedCalls?: number | undefined
  firstByteMs: number | undefined
  /** Of a whole reply, where it was computed already. */
  charge?: Charge | undefined
  /** The client's error in place of a reply that is charged. */
  unusable?: ApiError | undefined
  /** Names of what the conversion of the reply could not keep. */
  losses: Iterable<string>
}

interface Times {
  firstByteMs: number | undefined
  durationMs: number
}

/** What has come of a whole reply, of a stream, or of a whole reply whose client was gone: all of that is hidden. */
export function servedEnd(
  outcome: ServedEnd['outcome'],
  heard: GoodReply | Relay | undefined,
  { firstByteMs, durationMs }: Times,
): ServedEnd {
  const kind = 'served'
  if (heard === undefined) {
    const hidden = { proofBytes: 0, durationMs }
    const nothing = { tokens: undefined, outputBytes: 0, isReadToEnd: false, losses: [] }
    return { kind, outcome, ...nothing, firstByteMs, hidden }
  }
  const { tokens, vendorUsage, outputBytes, losses } = heard
  if ('kind' in heard) {
    const { charge, unusable } = heard
    const counted = { tokens, vendorUsage, outputBytes, isReadToEnd: true, charge }
    const isFailed = unusable !== undefined && outcome === 'completed'
    return { kind, outcome: isFailed ? 'failed' : outcome, ...counted, firstByteMs, unusable, losses }
  }
  const isCounted = outcome === 'hung-up' && heard.isCounted === true
  const isReadToEnd = isCounted || (heard.state === 'ended' && !heard.endedEarly)
  const end = { kind, outcome, tokens, vendorUsage, outputBytes, isReadToEnd, firstByteMs, losses } as const
  if (isReadToEnd) return end
  const { reasoning, hostedCalls, isAllCounted } = heard
  const hidden = reasoning === undefined ? undefined : { ...reasoning, durationMs }
  return { ...end, isAllCounted, hidden, hostedCalls }
}

/** What all calls to vendors share. */
export interface VendorCallTools {
  clock: Clock
  log: Log
  live: LiveReplies
  /** How long the vendor's count is waited for after the client has left or has its whole reply. */
  hangUpListenMs: number
  /** How long the first events of a stream are kept back while no content comes. 0: not at all. */
  holdBackMs: number
}

/** What one call to one vendor needs. */
export interface VendorCallParts {
  sink: ReplySink
  /** Headers of a reply that has come about. */
  headers: Record<string, string>
  caller: ReplyOwner
  errorContext: TextVendorErrorContext
  /** Only the vendor knows how much the request puts in. */
  hidesInput(): boolean
  answer: Answer
}

export const BROKEN: StreamError = { kind: 'broken', message: 'The provider broke off its answer.' }

const TOO_LATE: StreamError = { kind: 'too-late', message: 'The provider fell silent.' }

/** The client's error for a reply that stopped in its middle. */
export function failureOfSilence({ kind }: TextNetworkError): StreamError {
  return kind.startsWith('timeout') ? TOO_LATE : BROKEN
}

/** The client's error for a vendor's error that came after the reply had begun. */
export function failureOfApiError({ apiError, isTheirs }: TextVendorError): StreamError {
  const { code, message } = apiError
  if (code === 'context_length_exceeded') return { kind: 'too-long', message }
  return { kind: isTheirs ? 'vendor' : 'refused', message }
}
