import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app/app.ts'
import type { TextCommand } from '../app/text/text-command.ts'
import type { TextEndpoint } from '../domain/catalog/model.ts'
import { isJsonObject } from '../domain/json-object.ts'
import { Refusal } from '../domain/refusal.ts'
import { checkShape, type TextShape } from '../llm/body/check-shape.ts'
import { placeOfModel } from '../llm/passthrough/replace-model.ts'
import { readIdempotencyKey } from './read-idempotency-key.ts'
import { readStrict } from './read-strict.ts'

interface TextWords {
  endpoint: TextEndpoint
  shape: TextShape
  version: string | undefined
  betas: string | string[] | undefined
}

/** What every text request says besides its version. At once, unless its body is one for another thread. */
export function readTextCommand(
  request: FastifyRequest,
  { endpoint, shape, version, betas }: TextWords,
  { app, reply }: { app: App; reply: FastifyReply },
): TextCommand | Promise<TextCommand> {
  const { body, bodyBytes: bytes, caller, headers } = request
  const said = {
    endpoint,
    caller,
    version,
    betas: typeof betas === 'object' ? betas.join(',') : betas,
    isStrict: readStrict(headers),
    idempotencyKey: readIdempotencyKey(headers),
  }
  if (bytes === undefined) throw new Refusal('invalid_json')
  if (request.isHeavy) {
    const { organizationId } = caller
    const heavy = app.readHeavyBody({ bytes, organizationId, closed: closedSignal(reply) }, shape)
    return heavy.then((read) => ({ ...said, body: read }))
  }
  checkShape(shape, body)
  if (!isJsonObject(body)) throw new Refusal('invalid_json')
  return { ...said, body: { bytes, value: body, modelPlace: placeOfModel(bytes) } }
}

function closedSignal({ raw }: FastifyReply): AbortSignal {
  const closing = new AbortController()
  if (raw.destroyed) closing.abort()
  else raw.once('close', () => closing.abort())
  return closing.signal
}
