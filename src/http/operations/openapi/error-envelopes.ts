import { isTextEndpoint, TEXT_ENDPOINTS } from '@sluice/dialects/dialect-facts'
import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import { ERRORS } from '../../../domain/errors.ts'
import { type JsonSchema, json } from '../../../domain/json/json-schema.ts'
import type { Area } from '../../edge-request.ts'

interface ErrorEnvelope {
  name: string
  schema: JsonSchema
}

const message = json.string({ description: 'A sentence for people.' })

const VIDEO: ErrorEnvelope = {
  name: 'VideoError',
  schema: json.object({
    error: json.object({
      message,
      type: json.string({ description: 'The kind of error.' }),
      param: json.nullable(json.string(), { description: 'The parameter at fault.' }),
      code: json.oneOf(Object.keys(ERRORS), { description: 'One of the codes of the error catalog.' }),
    }),
  }),
}

const ADMIN: ErrorEnvelope = {
  name: 'AdminError',
  schema: json.object({
    error: message,
    code: json.optional(json.string({ description: 'The code of the conflict; present only with 409.' })),
  }),
}

/** Schema of errors in an area. A test compares it with the responses of the edge. */
export function errorEnvelope(area: Area): ErrorEnvelope {
  if (isTextEndpoint(area)) return CLIENT_DIALECTS[area].errorSchema
  return area === 'admin' ? ADMIN : VIDEO
}

export const ERROR_ENVELOPES: readonly ErrorEnvelope[] = [VIDEO, ...TEXT_ENDPOINTS.map(errorEnvelope), ADMIN]
