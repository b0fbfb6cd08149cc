import type { TextEndpoint } from '@sluice/dialects/dialect-facts'
import type { Caller } from '../../../domain/access/api-key.ts'
import type { UsageClaim } from '../../billing/spent.ts'
import type { EmbeddingsBody } from './embeddings-body.ts'
import type { ReplySession } from './reply-session.ts'
import type { ReplySink } from './reply-sink.ts'
import type { TextBody } from './text-body.ts'

export interface TextCommand {
  endpoint: TextEndpoint
  /** `compact` asks for a compacted conversation; left out: for a reply. */
  operation?: 'compact'
  requestId: string
  caller: Caller
  body: TextBody
  /** Value of the client's version header; undefined: the endpoint has none. */
  version: string | undefined
  /** Flags of new features, sent along with a passthrough. */
  betas: string | undefined
  /** Whether a conversion that would lose something is refused. */
  isStrict: boolean
  /** Whether a stream reports its cost, as a comment before the final event. */
  wantsCost?: boolean
  idempotencyKey: string | undefined
  claim?: UsageClaim | undefined
  /** Conversation that the WebSocket remembers; left out: none. */
  session?: ReplySession
  isWarmUp?: boolean
}

/** Resolves when the reply is over. Rejects with an `ApiError` only if the client got nothing yet. */
export type AnswerText = (command: TextCommand, sink: ReplySink) => Promise<void>

/** A request for embeddings, whose reply is never a stream. */
export interface EmbeddingsCommand {
  endpoint: 'embeddings'
  requestId: string
  caller: Caller
  body: EmbeddingsBody
  idempotencyKey: string | undefined
  claim?: UsageClaim | undefined
}
