import { innerLinkIn } from '../../canonical/media-source.ts'
import type { FindUrlProblem } from '../../canonical/problem.ts'
import {
  needName,
  needText,
  optionalBoolean,
  optionalObject,
  optionalText,
  prefixPath,
  problemAmong,
  type RequestProblem,
} from '../../canonical/problem.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isNil } from '../../values/values.ts'

/** Checks one tool. An unknown kind passes, unless its `server_url` is forbidden. */
export function checkTool(tool: JsonObject, problemOfUrl: FindUrlProblem): RequestProblem | undefined {
  const problem = needText(tool, 'type')
  if (problem !== undefined) return problem
  switch (tool.type) {
    case 'function':
      return (
        needName(tool, 'name') ??
        optionalText(tool, 'description') ??
        optionalObject(tool, 'parameters') ??
        optionalBoolean(tool, 'strict')
      )
    case 'custom':
      return needName(tool, 'name') ?? optionalText(tool, 'description') ?? optionalObject(tool, 'format')
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
  return prefixPath('tools', problemAmong(tools, checkTool, problemOfUrl))
}

const CHOICES: readonly unknown[] = ['auto', 'none', 'required']

export function checkToolChoice(choice: unknown): RequestProblem | undefined {
  if (isNil(choice) || CHOICES.includes(choice)) return undefined
  if (!isJsonObject(choice)) {
    return { path: 'tool_choice', problem: 'must be auto, none, required or an object' }
  }
  const { type } = choice
  const problem = needText(choice, 'type')
  return prefixPath(
    'tool_choice',
    problem ?? (type === 'function' || type === 'custom' ? needName(choice, 'name') : undefined),
  )
}
