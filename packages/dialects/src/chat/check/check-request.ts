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
  needName,
  needText,
  optionalBoolean,
  optionalNumber,
  optionalObject,
  optionalText,
  prefixPath,
  problemAmong,
  type RequestProblem,
} from '../../canonical/problem.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isNil } from '../../values/values.ts'
import { FIELD_POLICIES } from '../field-policies.ts'
import { checkMessage } from './check-messages.ts'

/** Maximum number of choices. Each is a reply of its own, and all of them are paid for. */
const CHOICES_MAX = 128

const CHECKS: readonly FieldCheck[] = [
  isThere('model'),
  isThere('messages'),
  checkModel,
  checkMessages,
  (body) => optionalBoolean(body, 'stream'),
  checkStreamOptions,
  (body) => mayBeCount(body, 'max_completion_tokens'),
  (body) => mayBeCount(body, 'max_tokens'),
  (body) => optionalNumber(body, 'temperature', { min: 0, max: 2 }),
  (body) => optionalNumber(body, 'top_p', { min: 0, max: 1 }),
  (body) => mayBeCount(body, 'n', CHOICES_MAX),
  checkStop,
  checkEachTool(checkTool),
  checkToolChoice,
  (body) => optionalBoolean(body, 'parallel_tool_calls'),
  checkFormat,
  (body) => optionalText(body, 'reasoning_effort'),
  (body) => optionalText(body, 'verbosity'),
  (body) => optionalText(body, 'user'),
  (body) => optionalObject(body, 'metadata'),
  (body) => optionalBoolean(body, 'store'),
]

/**
 * Refuses a body that is not a request of this dialect, naming the field. New kinds of parts, tools, efforts and fields pass:
 * a passthrough forwards them, and a conversion decides about them itself.
 */
export const checkChatRequest = bodyChecker(new Set(Object.keys(FIELD_POLICIES)), CHECKS)

function checkMessages({ messages }: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  if (!Array.isArray(messages)) return { path: 'messages', problem: 'must be an array of messages' }
  if (messages.length === 0) return { path: 'messages', problem: 'must have at least one message' }
  return prefixPath('messages', problemAmong(messages, checkMessage, problemOfUrl))
}

function checkStreamOptions(body: JsonObject): RequestProblem | undefined {
  const { stream_options: options } = body
  if (!isJsonObject(options)) return optionalObject(body, 'stream_options')
  return prefixPath('stream_options', optionalBoolean(options, 'include_usage'))
}

function checkStop({ stop }: JsonObject): RequestProblem | undefined {
  if (isNil(stop) || typeof stop === 'string') return undefined
  if (!Array.isArray(stop)) return { path: 'stop', problem: 'must be a string or an array of strings' }
  return firstOtherThanText(stop, 'stop')
}

/** Checks one tool. An unknown kind of tool passes. */
function checkTool(tool: JsonObject): RequestProblem | undefined {
  const problem = needText(tool, 'type')
  if (problem !== undefined) return problem
  if (tool.type === 'function') {
    return checkNamed(
      tool,
      'function',
      (called) =>
        optionalText(called, 'description') ??
        optionalObject(called, 'parameters') ??
        optionalBoolean(called, 'strict'),
    )
  }
  if (tool.type !== 'custom') return undefined
  return checkNamed(
    tool,
    'custom',
    (called) => optionalText(called, 'description') ?? optionalObject(called, 'format'),
  )
}

/** Checks the member named after the type: its `name`, then its other fields. */
function checkNamed(
  holder: JsonObject,
  member: string,
  checkOthers: (called: JsonObject) => RequestProblem | undefined = () => undefined,
): RequestProblem | undefined {
  const called = holder[member]
  if (!isJsonObject(called)) return { path: member, problem: isNil(called) ? undefined : 'must be an object' }
  return prefixPath(member, needName(called, 'name') ?? checkOthers(called))
}

const WORDS: readonly unknown[] = ['auto', 'none', 'required']

function checkToolChoice({ tool_choice: choice }: JsonObject): RequestProblem | undefined {
  if (isNil(choice) || WORDS.includes(choice)) return undefined
  if (!isJsonObject(choice)) {
    return { path: 'tool_choice', problem: 'must be auto, none, required or an object' }
  }
  const { type } = choice
  const problem = needText(choice, 'type')
  const isNamed = type === 'function' || type === 'custom'
  return prefixPath('tool_choice', problem ?? (isNamed ? checkNamed(choice, type) : undefined))
}

function checkFormat(body: JsonObject): RequestProblem | undefined {
  const { response_format: format } = body
  if (!isJsonObject(format)) return optionalObject(body, 'response_format')
  return prefixPath(
    'response_format',
    needText(format, 'type') ??
      (format.type === 'json_schema'
        ? checkNamed(
            format,
            'json_schema',
            (shape) =>
              optionalObject(shape, 'schema') ??
              optionalText(shape, 'description') ??
              optionalBoolean(shape, 'strict'),
          )
        : undefined),
  )
}
