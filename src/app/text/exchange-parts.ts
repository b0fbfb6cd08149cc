import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { LiveReplies } from './live-replies.ts'
import type { Answer } from './relay.ts'
import type { ReplySink } from './reply-sink.ts'
import type { RefusalContext } from './vendor-refusal.ts'

/** What one call to one vendor needs. */
export interface ExchangeParts {
  sink: ReplySink
  /** Headers of a reply that has come about. */
  headers: Record<string, string>
  clock: Clock
  log: Log
  live: LiveReplies
  refusals: RefusalContext
  /** For how long a vendor is heard for its count after its client has left or has all that it gets. */
  hangUpListenMs: number
  /** Only the vendor knows how much the request puts in. */
  hidesInput(): boolean
  answer: Answer
}
