import { ApiError } from '../../../domain/api-error.ts'
import { isJsonObject, type JsonObject } from '../../../domain/json-object.ts'
import { misspelledName } from '../../canonical/bad-parameter.ts'
import {
  apiErrorOf,
  faultAmong,
  mayBeBoolean,
  mayBeNumber,
  mayBeObject,
  mayBeText,
  needText,
  type RequestProblem,
  under,
} from '../../canonical/fault.ts'
import { isModelName } from '../../values/names.ts'
import { isNil } from '../../values/values.ts'
import { asksForNothing, FIELD_POLICIES, REFUSED_EVERYWHERE } from '../field-policies.ts'
import { checkItem } from './check-items.ts'
import { checkTool, checkToolChoice } from './check-tools.ts'

/**
 * Refuses what is no request of this dialect, naming the field. New kinds of items, tools, efforts and fields pass: a
 * passthrough forwards them, and a conversion has its own word about them.
 */
export function checkResponsesRequest(value: unknown): void {
  if (!isJsonObject(value)) {
    throw new ApiError('invalid_parameter', { message: 'The body must be a JSON object.' })
  }
  const name = misspelledName(value, KNOWN_FIELDS)
  if (name !== undefined) {
    throw apiErrorOf({ path: name, problem: 'must be spelled in small letters, and given once' })
  }
  for (const check of CHECKS) {
    const fault = check(value)
    if (fault !== undefined) throw apiErrorOf(fault)
  }
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(Object.keys(FIELD_POLICIES))

type Check = (body: JsonObject) => RequestProblem | undefined

const CHECKS: readonly Check[] = [
  isThere('model'),
  isThere('input'),
  checkModel,
  checkRefused,
  checkInput,
  (body) => mayBeText(body, 'instructions'),
  (body) => mayBeBoolean(body, 'stream'),
  checkMaxOutputTokens,
  (body) => mayBeNumber(body, 'temperature', { min: 0, max: 2 }),
  (body) => mayBeNumber(body, 'top_p', { min: 0, max: 1 }),
  checkTools,
  (body) => checkToolChoice(body.tool_choice),
  (body) => mayBeBoolean(body, 'parallel_tool_calls'),
  checkText,
  checkReasoning,
  checkInclude,
  (body) => mayBeObject(body, 'metadata'),
  (body) => mayBeBoolean(body, 'store'),
  checkPrevious,
  checkBackground,
]

function isThere(name: string): Check {
  return (body) => (isNil(body[name]) ? { path: name, problem: undefined } : undefined)
}

function checkRefused(body: JsonObject): RequestProblem | undefined {
  for (const name of REFUSED_EVERYWHERE) {
    const field = FIELD_POLICIES[name]
    if (field?.policy === 'refused' && !asksForNothing(body[name])) {
      return { path: name, problem: field.problem }
    }
  }
  return undefined
}

function checkPrevious({ previous_response_id: id }: JsonObject): RequestProblem | undefined {
  if (asksForNothing(id) || (typeof id === 'string' && id !== '')) return undefined
  return { path: 'previous_response_id', problem: 'must be the id of a response' }
}

function checkBackground({ background, store }: JsonObject): RequestProblem | undefined {
  if (asksForNothing(background)) return undefined
  if (background !== true) return { path: 'background', problem: 'must be true or false' }
  if (store !== false) return undefined
  return { path: 'background', problem: 'needs a reply that is kept: leave out store, or set it to true' }
}

function checkModel({ model }: JsonObject): RequestProblem | undefined {
  if (typeof model !== 'string') return { path: 'model', problem: 'must be a string' }
  return isModelName(model) ? undefined : { path: 'model', problem: 'must look like <provider>/<model_name>' }
}

function checkInput({ input }: JsonObject): RequestProblem | undefined {
  if (typeof input === 'string') return undefined
  if (!Array.isArray(input)) return { path: 'input', problem: 'must be a string or an array of items' }
  return under('input', faultAmong(input, checkItem))
}

function checkMaxOutputTokens({ max_output_tokens: max }: JsonObject): RequestProblem | undefined {
  if (isNil(max) || (Number.isSafeInteger(max) && Number(max) > 0)) return undefined
  return { path: 'max_output_tokens', problem: 'must be an integer above 0' }
}

function checkTools({ tools }: JsonObject): RequestProblem | undefined {
  if (isNil(tools)) return undefined
  if (!Array.isArray(tools)) return { path: 'tools', problem: 'must be an array' }
  return under('tools', faultAmong(tools, checkTool))
}

function checkText(body: JsonObject): RequestProblem | undefined {
  const { text } = body
  if (!isJsonObject(text)) return mayBeObject(body, 'text')
  const { format } = text
  return under(
    'text',
    mayBeText(text, 'verbosity') ??
      (isJsonObject(format) ? under('format', checkFormat(format)) : mayBeObject(text, 'format')),
  )
}

function checkFormat(format: JsonObject): RequestProblem | undefined {
  const fault = needText(format, 'type')
  if (fault !== undefined || format.type !== 'json_schema') return fault
  return (
    needText(format, 'name') ??
    (isNil(format.schema) ? { path: 'schema', problem: undefined } : mayBeObject(format, 'schema')) ??
    mayBeText(format, 'description') ??
    mayBeBoolean(format, 'strict')
  )
}

function checkReasoning(body: JsonObject): RequestProblem | undefined {
  const { reasoning } = body
  if (!isJsonObject(reasoning)) return mayBeObject(body, 'reasoning')
  return under('reasoning', mayBeText(reasoning, 'effort') ?? mayBeText(reasoning, 'summary'))
}

function checkInclude({ include }: JsonObject): RequestProblem | undefined {
  if (isNil(include)) return undefined
  if (!Array.isArray(include)) return { path: 'include', problem: 'must be an array of strings' }
  const index = include.findIndex((one) => typeof one !== 'string')
  return index < 0 ? undefined : { path: `include.${index}`, problem: 'must be a string' }
}
