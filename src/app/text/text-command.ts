import type { Caller } from '../../domain/access/api-key.ts'
import type { TextEndpoint } from '../../domain/catalog/dialects.ts'
import type { JsonObject } from '../../domain/json-object.ts'
import type { Place } from '../../llm/passthrough/find-model.ts'
import type { UsageClaim } from '../billing/spent.ts'
import type { ReplySession } from './kept/reply-session.ts'
import type { HeavyBody, HeavyEmbeddings } from './plan/heavy-body.ts'

/** One text request as it came in: checked for its shape. */
export type TextCommand = LightCommand | HeavyCommand
export type LightCommand = CommandWith<LightBody>
export type HeavyCommand = CommandWith<HeavyBody>

interface CommandWith<Body> {
  endpoint: TextEndpoint
  /** It asks for its conversation in short; left out: for a reply. */
  operation?: 'compact'
  /** The id that the answer carries. */
  requestId: string
  caller: Caller
  body: Body
  /** What the client said in its version header; undefined where the endpoint has none. */
  version: string | undefined
  /** The flags of new features that go along with a passthrough. */
  betas: string | undefined
  /** A conversion that would lose something is refused. */
  isStrict: boolean
  /** A stream says what it cost, in a comment before its last event. */
  wantsCost?: boolean
  idempotencyKey: string | undefined
  /** What its usage row finishes, once the key is claimed. */
  claim?: UsageClaim
  /** What the connection that it came over remembers; left out: nothing. */
  session?: ReplySession
  /** It asks for no output. */
  isWarmUp?: boolean
}

/** A request for embeddings: checked for its shape. Its reply is never a stream. */
export interface EmbeddingsCommand {
  endpoint: 'embeddings'
  requestId: string
  caller: Caller
  body: LightBody | HeavyEmbeddings
  idempotencyKey: string | undefined
  /** As that of a text request. */
  claim?: UsageClaim
}

/** With the very bytes the client sent. */
export interface LightBody {
  bytes: Buffer
  /** The same, parsed; its endpoint's check has passed. */
  value: JsonObject
  /** Where the value of `model` stands in the bytes, if it was looked for. */
  modelPlace?: Place | undefined
}

export function isHeavy(command: TextCommand): command is HeavyCommand {
  return 'facts' in command.body
}
