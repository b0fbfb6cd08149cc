import type { ReplyTokens } from '../../llm/hub/reply-event.ts'
import type { VendorRefusal } from './vendor-refusal.ts'

/** How a call ended: with something for the client, or with a refusal and nothing sent to it. */
export type ExchangeEnd = ServedEnd | { kind: 'refused'; refused: VendorRefusal; reached: boolean }

export interface ServedEnd {
  kind: 'served'
  outcome: 'completed' | 'failed' | 'hung-up'
  tokens: ReplyTokens | undefined
  outputBytes: number
  /** The vendor's count is of all that came out. Nobody asks after a reply that was completed: there `tokens` are. */
  isAllCounted?: boolean | undefined
  firstByteMs: number | undefined
  losses: Iterable<string>
}
