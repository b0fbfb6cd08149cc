import type { Caller } from '../../domain/access/caller.ts'
import type { TextEndpoint } from '../../domain/catalog/model.ts'
import type { Place } from '../../llm/passthrough/find-models.ts'

/** One text request as it came in: checked for its shape, and with the very bytes the client sent. */
export interface TextCommand {
  endpoint: TextEndpoint
  caller: Caller
  body: TextBody
  /** What the client said in its version header; undefined where the endpoint has none. */
  version: string | undefined
  /** The flags of new features that go along with a passthrough. */
  betas: string | undefined
  /** A conversion that would lose something is refused. */
  isStrict: boolean
  idempotencyKey: string | undefined
}

export interface TextBody {
  bytes: Buffer
  /** The same, parsed; its endpoint's check has passed. */
  value: Readonly<Record<string, unknown>>
  /** Where the value of `model` stands in the bytes, if it was looked for. */
  modelPlace?: Place | undefined
}
