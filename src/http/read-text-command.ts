import type { FastifyRequest } from 'fastify'
import type { TextCommand } from '../app/text/text-command.ts'
import type { TextEndpoint } from '../domain/catalog/model.ts'
import { isJsonObject } from '../domain/json-object.ts'
import { Refusal } from '../domain/refusal.ts'
import { placeOfModel } from '../llm/passthrough/replace-model.ts'
import { readIdempotencyKey } from './read-idempotency-key.ts'
import { readStrict } from './read-strict.ts'

interface TextWords {
  endpoint: TextEndpoint
  version: string | undefined
  betas: string | string[] | undefined
  /** Throws for a body that is no request of this endpoint. */
  check(value: unknown): void
}

/** What every text request says besides its version. */
export function readTextCommand(
  { body, bodyBytes, caller, headers }: FastifyRequest,
  { endpoint, version, betas, check }: TextWords,
): TextCommand {
  check(body)
  if (!isJsonObject(body) || bodyBytes === undefined) throw new Refusal('invalid_json')
  return {
    endpoint,
    caller,
    body: { bytes: bodyBytes, value: body, modelPlace: placeOfModel(bodyBytes) },
    version,
    betas: typeof betas === 'object' ? betas.join(',') : betas,
    isStrict: readStrict(headers),
    idempotencyKey: readIdempotencyKey(headers),
  }
}
