import { type TSchema, Type } from 'typebox'
import { ERRORS } from '../../domain/errors.ts'
import type { Area } from '../operation.ts'

const codes = Type.Union(
  Object.keys(ERRORS).map((code) => Type.Literal(code)),
  { description: 'One of the codes of the error catalog.' },
)
const message = Type.String({ description: 'A sentence for people.' })

const detailed = Type.Object({
  error: Type.Object({
    message,
    type: Type.String({ description: 'The kind of error.' }),
    param: Type.Union([Type.String(), Type.Null()], { description: 'The parameter at fault.' }),
    code: codes,
  }),
})

/** What an error looks like in each area. A test holds them against what the edge really sends. */
export const ERROR_ENVELOPES: Record<Area, { name: string; schema: TSchema }> = {
  video: { name: 'VideoError', schema: detailed },
  responses: { name: 'ResponsesError', schema: detailed },
  messages: {
    name: 'MessagesError',
    schema: Type.Object({
      type: Type.Literal('error'),
      error: Type.Object({ type: Type.String({ description: 'The kind of error.' }), message }),
      request_id: Type.String({ description: 'The same as the `x-request-id` header.' }),
    }),
  },
  admin: { name: 'AdminError', schema: Type.Object({ error: message }) },
}
