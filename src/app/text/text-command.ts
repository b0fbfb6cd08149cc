import type { Caller } from '../../domain/access/api-key.ts'
import type { TextEndpoint } from '../../domain/catalog/dialects.ts'
import type { JsonObject } from '../../domain/json-object.ts'
import type { ValueRange } from '../../llm/passthrough/find-model.ts'
import type { UsageClaim } from '../billing/spent.ts'
import type { ReplySession } from './kept/reply-session.ts'
import type { HeavyBody, HeavyEmbeddings } from './plan/heavy-body.ts'

/** A text request whose shape was checked. */
export type TextCommand = LightCommand | HeavyCommand
export type LightCommand = CommandWith<LightBody>
export type HeavyCommand = CommandWith<HeavyBody>

interface CommandWith<Body> {
  endpoint: TextEndpoint
  /** `compact` asks for a compacted conversation; left out: for a reply. */
  operation?: 'compact'
  /** Id that the response carries. */
  requestId: string
  caller: Caller
  body: Body
  /** Value of the client's version header; undefined where the endpoint has none. */
  version: string | undefined
  /** Flags of new features, sent along with a passthrough. */
  betas: string | undefined
  /** Refuses a conversion that would lose something. */
  isStrict: boolean
  /** Asks for the cost of a stream, as a comment before the final event. */
  wantsCost?: boolean
  idempotencyKey: string | undefined
  /** Claim of the Idempotency-Key, which the usage row finishes. */
  claim?: UsageClaim | undefined
  /** Conversation that the connection remembers; left out: none. */
  session?: ReplySession
  /** Asks for no output. */
  isWarmUp?: boolean
}

/** A request for embeddings whose shape was checked. Its reply is never a stream. */
export interface EmbeddingsCommand {
  endpoint: 'embeddings'
  requestId: string
  caller: Caller
  body: LightBody | HeavyEmbeddings
  idempotencyKey: string | undefined
  claim?: UsageClaim | undefined
}

/** A small body, with the bytes that the client sent. */
export interface LightBody {
  bytes: Buffer
  /** The parsed bytes, checked by the endpoint. */
  value: JsonObject
  /** Range of the value of `model` in the bytes, if it was searched for. */
  modelRange?: ValueRange | undefined
}

export function isHeavy(command: TextCommand): command is HeavyCommand {
  return 'facts' in command.body
}
