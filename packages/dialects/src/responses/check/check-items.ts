import type { FieldCheck } from '../../canonical/check-fields.ts'
import { innerLinkIn, problemOfMedia } from '../../canonical/media-source.ts'
import type { FindUrlProblem } from '../../canonical/problem.ts'
import {
  needName,
  needText,
  optionalText,
  prefixPath,
  problemAmong,
  type RequestProblem,
} from '../../canonical/problem.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { isNil } from '../../values/values.ts'
import { kindOfItem } from '../wire.ts'
import { checkTool } from './check-tools.ts'

const ROLES: readonly unknown[] = ['user', 'assistant', 'system', 'developer']

/** Checks one item of `input`. An unknown kind of item passes. */
export function checkItem(item: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  const kind = kindOfItem(item)
  if (kind === undefined) {
    return { path: 'type', problem: isNil(item.type) ? undefined : 'must be a string' }
  }
  return CHECKS.get(kind)?.(item, problemOfUrl)
}

const CHECKS: ReadonlyMap<string, FieldCheck> = new Map<string, FieldCheck>([
  ['message', checkMessage],
  ['function_call', (item) => checkCall(item, 'arguments')],
  ['custom_tool_call', (item) => checkCall(item, 'input')],
  ['function_call_output', checkOutput],
  ['custom_tool_call_output', checkOutput],
  ['reasoning', checkReasoningItem],
  ['item_reference', (item) => needName(item, 'id')],
  ['additional_tools', checkAdditionalTools],
  ['computer_call_output', checkScreenshot],
])

function checkMessage(item: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  if (!ROLES.includes(item.role)) {
    const problem = isNil(item.role) ? undefined : 'must be user, assistant, system or developer'
    return { path: 'role', problem }
  }
  return checkContent(item, 'content', problemOfUrl)
}

function checkContent(
  item: JsonObject,
  name: string,
  problemOfUrl: FindUrlProblem,
): RequestProblem | undefined {
  const content = item[name]
  if (typeof content === 'string') return undefined
  if (Array.isArray(content)) return prefixPath(name, problemAmong(content, checkPart, problemOfUrl))
  return { path: name, problem: isNil(content) ? undefined : 'must be a string or an array of parts' }
}

function checkCall(item: JsonObject, input: string): RequestProblem | undefined {
  return (
    needName(item, 'call_id') ??
    needName(item, 'name') ??
    needText(item, input) ??
    optionalText(item, 'namespace')
  )
}

function checkOutput(item: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  return needName(item, 'call_id') ?? checkContent(item, 'output', problemOfUrl)
}

function checkReasoningItem(item: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  return (
    optionalText(item, 'encrypted_content') ??
    mayHoldTexts(item, 'summary', problemOfUrl) ??
    mayHoldTexts(item, 'content', problemOfUrl)
  )
}

/** Agents send `content: null` with reasoning that was never shown. */
function mayHoldTexts(
  item: JsonObject,
  name: string,
  problemOfUrl: FindUrlProblem,
): RequestProblem | undefined {
  const parts = item[name]
  if (isNil(parts)) return undefined
  if (!Array.isArray(parts)) return { path: name, problem: 'must be an array' }
  return prefixPath(name, problemAmong(parts, checkPart, problemOfUrl))
}

function checkAdditionalTools(
  { tools }: JsonObject,
  problemOfUrl: FindUrlProblem,
): RequestProblem | undefined {
  if (!Array.isArray(tools)) {
    return { path: 'tools', problem: isNil(tools) ? undefined : 'must be an array' }
  }
  return prefixPath('tools', problemAmong(tools, checkTool, problemOfUrl))
}

function checkScreenshot({ output }: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  return prefixPath('output', innerLinkIn(output, SOURCES, problemOfUrl))
}

/** Checks one part of a message, of a tool's output or of reasoning. An unknown kind of part passes. */
function checkPart(part: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  const { type } = part
  if (typeof type !== 'string') {
    return { path: 'type', problem: isNil(type) ? undefined : 'must be a string' }
  }
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text':
    case 'reasoning_text':
      return needText(part, 'text')
    case 'refusal':
      return needText(part, 'refusal')
    case 'input_image':
      return (
        needAnyOf(part, ['image_url', 'file_id']) ??
        optionalUrl(part, 'image_url', problemOfUrl) ??
        optionalText(part, 'detail')
      )
    case 'input_file':
      return (
        needAnyOf(part, ['file_data', 'file_url', 'file_id']) ??
        optionalUrl(part, 'file_url', problemOfUrl) ??
        innerLinkIn(part, SOURCES, problemOfUrl) ??
        optionalText(part, 'filename')
      )
    default:
      return (
        innerLinkIn(part, SOURCES, problemOfUrl) ??
        prefixPath(type, innerLinkIn(part[type], SOURCES, problemOfUrl))
      )
  }
}

/** Members that hold the source of media in parts of any kind. */
const SOURCES: readonly string[] = [
  'url',
  'data',
  'file_data',
  'file_url',
  'image_url',
  'video_url',
  'audio_url',
]

/** A source may be given in several ways; an error asks for the first. */
function needAnyOf(part: JsonObject, names: readonly [string, ...string[]]): RequestProblem | undefined {
  const given = names.find((name) => !isNil(part[name]))
  return given === undefined ? { path: names[0], problem: undefined } : optionalText(part, given)
}

function optionalUrl(
  part: JsonObject,
  name: string,
  problemOfUrl: FindUrlProblem,
): RequestProblem | undefined {
  const url = part[name]
  if (typeof url !== 'string') return optionalText(part, name)
  const problem = problemOfMedia(url, problemOfUrl)
  return problem === undefined ? undefined : { path: name, problem }
}
