import type { FindUrlProblem } from '../../canonical/fault.ts'
import {
  faultAmong,
  mayBeBoolean,
  mayBeObject,
  mayBeText,
  needName,
  needText,
  type RequestProblem,
  under,
} from '../../canonical/fault.ts'
import { innerLinkIn } from '../../canonical/media-source.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isNil } from '../../values/values.ts'

/** Checks one tool. An unknown kind of tool passes. */
export function checkTool(tool: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  const fault = needText(tool, 'type')
  if (fault !== undefined) return fault
  switch (tool.type) {
    case 'function':
      return (
        needName(tool, 'name') ??
        mayBeText(tool, 'description') ??
        mayBeObject(tool, 'parameters') ??
        mayBeBoolean(tool, 'strict')
      )
    case 'custom':
      return needName(tool, 'name') ?? mayBeText(tool, 'description') ?? mayBeObject(tool, 'format')
    case 'namespace':
      return needName(tool, 'name') ?? checkMembers(tool.tools, problemOfUrl)
    default:
      return innerLinkIn(tool, ['server_url'], problemOfUrl)
  }
}

function checkMembers(tools: unknown, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  if (!Array.isArray(tools)) {
    return { path: 'tools', problem: isNil(tools) ? undefined : 'must be an array' }
  }
  return under('tools', faultAmong(tools, checkTool, problemOfUrl))
}

const WORDS: readonly unknown[] = ['auto', 'none', 'required']

export function checkToolChoice(choice: unknown): RequestProblem | undefined {
  if (isNil(choice) || WORDS.includes(choice)) return undefined
  if (!isJsonObject(choice)) {
    return { path: 'tool_choice', problem: 'must be auto, none, required or an object' }
  }
  const { type } = choice
  const fault = needText(choice, 'type')
  return under(
    'tool_choice',
    fault ?? (type === 'function' || type === 'custom' ? needName(choice, 'name') : undefined),
  )
}
