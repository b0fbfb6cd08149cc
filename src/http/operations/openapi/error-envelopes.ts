import { ERRORS } from '../../../domain/errors.ts'
import type { Area } from '../../operation.ts'
import { type JsonSchema, json } from '../../schema/json-schema.ts'

const codes = json.oneOf(Object.keys(ERRORS), { description: 'One of the codes of the error catalog.' })
const message = json.string({ description: 'A sentence for people.' })

const detailed = (code: JsonSchema) =>
  json.object({
    error: json.object({
      message,
      type: json.string({ description: 'The kind of error.' }),
      param: json.nullable(json.string(), { description: 'The parameter at fault.' }),
      code,
    }),
  })

const vendorCodes = json.string({
  description:
    "One of the codes of the error catalog, or the vendor's own where it refused the request of a native model.",
})

const details = json.optional(
  json.object({}, { description: 'For programs; `error_code` in it names the cause.' }),
)

/** What an error looks like in each area. A test holds them against what the edge really sends. */
export const ERROR_ENVELOPES: Record<Area, { name: string; schema: JsonSchema }> = {
  video: { name: 'VideoError', schema: detailed(codes) },
  responses: { name: 'ResponsesError', schema: detailed(vendorCodes) },
  messages: {
    name: 'MessagesError',
    schema: json.object({
      type: json.literal('error'),
      error: json.object({ type: json.string({ description: 'The kind of error.' }), message, details }),
      request_id: json.string({ description: 'The same as the `x-request-id` header.' }),
    }),
  },
  admin: { name: 'AdminError', schema: json.object({ error: message }) },
}
