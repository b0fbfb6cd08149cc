import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { isAbsent } from '../hub/is-absent.ts'
import { checkBoolean, checkPresent, checkString, invalid, type Place } from './place.ts'

export function checkTools(tools: unknown): void {
  if (isAbsent(tools)) return
  if (!Array.isArray(tools)) throw invalid(undefined, 'tools', 'must be an array of tools')
  const up = { up: undefined, key: 'tools' }
  for (let place = 0; place < tools.length; place += 1) {
    const tool: unknown = tools[place]
    if (!isJsonObject(tool)) throw invalid(up, place, 'must be an object')
    checkTool(tool, { up, key: place })
  }
}

/** A tool of another type belongs to the vendor, who alone knows its fields. */
function checkTool(tool: JsonObject, at: Place): void {
  checkString(tool, 'type', at)
  if (!isAbsent(tool.type) && tool.type !== 'custom') return
  checkPresent(tool, ['name', 'input_schema'], at)
  checkString(tool, 'name', at)
  if (tool.name === '') throw invalid(at, 'name', 'must not be empty')
  checkString(tool, 'description', at)
  if (!isJsonObject(tool.input_schema)) throw invalid(at, 'input_schema', 'must be a JSON schema object')
}

export function checkToolChoice(choice: unknown): void {
  if (isAbsent(choice)) return
  if (!isJsonObject(choice)) throw invalid(undefined, 'tool_choice', 'must be an object')
  const at = { up: undefined, key: 'tool_choice' }
  checkPresent(choice, choice.type === 'tool' ? ['type', 'name'] : ['type'], at)
  if (typeof choice.type !== 'string' || !CHOICES.includes(choice.type)) {
    throw invalid(at, 'type', `must be one of ${CHOICES.join(', ')}`)
  }
  if (choice.type === 'tool') checkString(choice, 'name', at)
  checkBoolean(choice, 'disable_parallel_tool_use', at)
}

const CHOICES: readonly string[] = ['auto', 'any', 'tool', 'none']
