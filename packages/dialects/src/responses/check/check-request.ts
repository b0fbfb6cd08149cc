import {
  bodyChecker,
  checkEachTool,
  checkModel,
  type FieldCheck,
  firstOtherThanText,
  isThere,
  mayBeCount,
} from '../../canonical/check-fields.ts'
import type { FindUrlProblem } from '../../canonical/problem.ts'
import {
  needText,
  optionalBoolean,
  optionalNumber,
  optionalObject,
  optionalText,
  prefixPath,
  problemAmong,
  type RequestProblem,
} from '../../canonical/problem.ts'
import type { DialectOperation } from '../../contract/dialect.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isNil } from '../../values/values.ts'
import { asksForNothing, FIELD_POLICIES, REFUSED_EVERYWHERE } from '../field-policies.ts'
import { checkItem } from './check-items.ts'
import { checkTool, checkToolChoice } from './check-tools.ts'

/** Checks of a create request and of a compact request. */
const SETTINGS: readonly FieldCheck[] = [
  checkRefused,
  checkInput,
  (body) => optionalText(body, 'instructions'),
  (body) => optionalBoolean(body, 'stream'),
  (body) => mayBeCount(body, 'max_output_tokens'),
  (body) => optionalNumber(body, 'temperature', { min: 0, max: 2 }),
  (body) => optionalNumber(body, 'top_p', { min: 0, max: 1 }),
  checkEachTool(checkTool),
  (body) => checkToolChoice(body.tool_choice),
  (body) => optionalBoolean(body, 'parallel_tool_calls'),
  checkText,
  checkReasoning,
  checkInclude,
  (body) => optionalObject(body, 'metadata'),
  (body) => optionalBoolean(body, 'store'),
  checkPrevious,
  checkBackground,
]

/**
 * Refuses a body that is not a request of this dialect, naming the field. New kinds of items, tools, efforts and fields pass:
 * a passthrough forwards them, and a conversion decides about them itself.
 */
export function checkResponsesRequest(
  body: unknown,
  operation: DialectOperation,
  problemOfUrl: FindUrlProblem,
): void {
  if (operation === 'compact') checkCompact(body, problemOfUrl)
  else checkCreate(body, problemOfUrl)
}

const FIELDS = new Set(Object.keys(FIELD_POLICIES))
const checkCreate = bodyChecker(FIELDS, [isThere('model'), isThere('input'), checkModel, ...SETTINGS])
const checkCompact = bodyChecker(FIELDS, [
  isThere('model'),
  checkConversation,
  checkModel,
  checkWhole,
  ...SETTINGS,
])

/** The conversation to compact is in the request, or is kept from an earlier one. */
function checkConversation(body: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  return asksForNothing(body.previous_response_id) ? isThere('input')(body, problemOfUrl) : undefined
}

function checkWhole({ stream, background }: JsonObject): RequestProblem | undefined {
  if (stream === true) return { path: 'stream', problem: 'must be left out: a compaction comes whole' }
  if (background !== true) return undefined
  return { path: 'background', problem: 'must be left out: a compaction is waited for' }
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

function checkInput({ input }: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  if (typeof input === 'string' || isNil(input)) return undefined
  if (!Array.isArray(input)) return { path: 'input', problem: 'must be a string or an array of items' }
  return prefixPath('input', problemAmong(input, checkItem, problemOfUrl))
}

function checkText(body: JsonObject): RequestProblem | undefined {
  const { text } = body
  if (!isJsonObject(text)) return optionalObject(body, 'text')
  const { format } = text
  return prefixPath(
    'text',
    optionalText(text, 'verbosity') ??
      (isJsonObject(format) ? prefixPath('format', checkFormat(format)) : optionalObject(text, 'format')),
  )
}

function checkFormat(format: JsonObject): RequestProblem | undefined {
  const problem = needText(format, 'type')
  if (problem !== undefined || format.type !== 'json_schema') return problem
  return (
    needText(format, 'name') ??
    (isNil(format.schema) ? { path: 'schema', problem: undefined } : optionalObject(format, 'schema')) ??
    optionalText(format, 'description') ??
    optionalBoolean(format, 'strict')
  )
}

function checkReasoning(body: JsonObject): RequestProblem | undefined {
  const { reasoning } = body
  if (!isJsonObject(reasoning)) return optionalObject(body, 'reasoning')
  return prefixPath('reasoning', optionalText(reasoning, 'effort') ?? optionalText(reasoning, 'summary'))
}

function checkInclude({ include }: JsonObject): RequestProblem | undefined {
  if (isNil(include)) return undefined
  if (!Array.isArray(include)) return { path: 'include', problem: 'must be an array of strings' }
  return firstOtherThanText(include, 'include')
}
