import { ApiError } from '../../../domain/api-error.ts'

/** Fields of this format by those of the contract, which the rules of the models name. */
const OWN_FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^duration$/, 'seconds'],
  [/^(?:resolution|ratio)$/, 'size'],
  [/^content\[0\]/, 'prompt'],
  [/^(?:content|task_type)/, 'input_reference'],
]

/** Returns an error of a rule with the field that the client sent; anything else unchanged. */
export function inOwnFields(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 400) return error
  const { param, code, message, cause } = error
  const own = OWN_FIELDS.find(([of]) => param !== null && of.test(param))?.[1]
  if (own === undefined || param === null) return error
  if (param === 'task_type') return new ApiError(code, { param: own, message: NEEDS_MORE, cause })
  const isSameValue = own === 'seconds' && message.startsWith(param)
  const text = isSameValue ? own + message.slice(param.length) : `${own}: ${message}`
  return new ApiError(code, { param: own, message: text, cause })
}

const NEEDS_MORE =
  'This model makes no video of a prompt alone: give input_reference, or order with POST /v1/video/generations.'
