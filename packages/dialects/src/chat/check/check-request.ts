import {
  bodyChecker,
  checkEachTool,
  checkModel,
  type FieldCheck,
  firstOtherThanText,
  isThere,
  mayBeCount,
} from '../../canonical/check-fields.ts'
import type { FindUrlProblem } from '../../canonical/fault.ts'
import {
  faultAmong,
  mayBeBoolean,
  mayBeNumber,
  mayBeObject,
  mayBeText,
  needName,
  needText,
  type RequestProblem,
  under,
} from '../../canonical/fault.ts'
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
  (body) => mayBeBoolean(body, 'stream'),
  checkStreamOptions,
  (body) => mayBeCount(body, 'max_completion_tokens'),
  (body) => mayBeCount(body, 'max_tokens'),
  (body) => mayBeNumber(body, 'temperature', { min: 0, max: 2 }),
  (body) => mayBeNumber(body, 'top_p', { min: 0, max: 1 }),
  (body) => mayBeCount(body, 'n', CHOICES_MAX),
  checkStop,
  checkEachTool(checkTool),
  checkToolChoice,
  (body) => mayBeBoolean(body, 'parallel_tool_calls'),
  checkFormat,
  (body) => mayBeText(body, 'reasoning_effort'),
  (body) => mayBeText(body, 'verbosity'),
  (body) => mayBeText(body, 'user'),
  (body) => mayBeObject(body, 'metadata'),
  (body) => mayBeBoolean(body, 'store'),
]

/**
 * Refuses a body that is no request of this dialect, naming the field. New kinds of parts, tools, efforts and fields pass:
 * a passthrough forwards them, and a conversion decides about them itself.
 */
export const checkChatRequest = bodyChecker(new Set(Object.keys(FIELD_POLICIES)), CHECKS)

function checkMessages({ messages }: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  if (!Array.isArray(messages)) return { path: 'messages', problem: 'must be an array of messages' }
  if (messages.length === 0) return { path: 'messages', problem: 'must have at least one message' }
  return under('messages', faultAmong(messages, checkMessage, problemOfUrl))
}

function checkStreamOptions(body: JsonObject): RequestProblem | undefined {
  const { stream_options: options } = body
  if (!isJsonObject(options)) return mayBeObject(body, 'stream_options')
  return under('stream_options', mayBeBoolean(options, 'include_usage'))
}

function checkStop({ stop }: JsonObject): RequestProblem | undefined {
  if (isNil(stop) || typeof stop === 'string') return undefined
  if (!Array.isArray(stop)) return { path: 'stop', problem: 'must be a string or an array of strings' }
  return firstOtherThanText(stop, 'stop')
}

/** Checks one tool. An unknown kind of tool passes. */
function checkTool(tool: JsonObject): RequestProblem | undefined {
  const fault = needText(tool, 'type')
  if (fault !== undefined) return fault
  if (tool.type === 'function') {
    return checkNamed(
      tool,
      'function',
      (called) =>
        mayBeText(called, 'description') ??
        mayBeObject(called, 'parameters') ??
        mayBeBoolean(called, 'strict'),
    )
  }
  if (tool.type !== 'custom') return undefined
  return checkNamed(
    tool,
    'custom',
    (called) => mayBeText(called, 'description') ?? mayBeObject(called, 'format'),
  )
}

/** Checks the member named after the type, which has a name and more. */
function checkNamed(
  holder: JsonObject,
  member: string,
  more: (called: JsonObject) => RequestProblem | undefined = () => undefined,
): RequestProblem | undefined {
  const called = holder[member]
  if (!isJsonObject(called)) return { path: member, problem: isNil(called) ? undefined : 'must be an object' }
  return under(member, needName(called, 'name') ?? more(called))
}

const WORDS: readonly unknown[] = ['auto', 'none', 'required']

function checkToolChoice({ tool_choice: choice }: JsonObject): RequestProblem | undefined {
  if (isNil(choice) || WORDS.includes(choice)) return undefined
  if (!isJsonObject(choice)) {
    return { path: 'tool_choice', problem: 'must be auto, none, required or an object' }
  }
  const { type } = choice
  const fault = needText(choice, 'type')
  const isNamed = type === 'function' || type === 'custom'
  return under('tool_choice', fault ?? (isNamed ? checkNamed(choice, type) : undefined))
}

function checkFormat(body: JsonObject): RequestProblem | undefined {
  const { response_format: format } = body
  if (!isJsonObject(format)) return mayBeObject(body, 'response_format')
  return under(
    'response_format',
    needText(format, 'type') ??
      (format.type === 'json_schema'
        ? checkNamed(
            format,
            'json_schema',
            (shape) =>
              mayBeObject(shape, 'schema') ??
              mayBeText(shape, 'description') ??
              mayBeBoolean(shape, 'strict'),
          )
        : undefined),
  )
}
