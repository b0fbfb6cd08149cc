import { invalidParameter } from '../canonical/bad-parameter.ts'
import type { LossName } from '../canonical/losses.ts'
import type { Tool } from '../canonical/request.ts'
import { type ChosenTools, chooseByWord } from '../canonical/tool-choice.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { hasUnknownFields, objectsIn, textOf } from '../values/values.ts'

/** Reads the tools of a request. If a name is repeated, the last definition counts. */
export function readTools(tools: unknown, losses: Set<LossName>): Tool[] {
  const found = new Map<string, Tool>()
  for (const tool of objectsIn(tools)) {
    const read = readTool(tool, losses)
    if (read === undefined) losses.add('unknown_tool')
    else found.set(read.name, read)
  }
  return [...found.values()]
}

/** undefined: a tool of a kind that only its vendor knows. */
function readTool(tool: JsonObject, losses: Set<LossName>): Tool | undefined {
  const { type } = tool
  const called = type === 'function' || type === 'custom' ? tool[type] : undefined
  if (!isJsonObject(called)) return undefined
  if (hasUnknownFields(called, type === 'function' ? FUNCTION_FIELDS : CUSTOM_FIELDS))
    losses.add('unknown_field')
  return {
    name: textOf(called.name),
    namespace: undefined,
    description: textOf(called.description) || undefined,
    input: type === 'function' ? jsonInput(called) : { kind: 'text', format: readGrammar(called.format) },
  }
}

const FUNCTION_FIELDS: ReadonlySet<string> = new Set(['name', 'description', 'parameters', 'strict'])
const CUSTOM_FIELDS: ReadonlySet<string> = new Set(['name', 'description', 'format'])

function jsonInput({ parameters, strict }: JsonObject): Tool['input'] {
  return {
    kind: 'json',
    schema: isJsonObject(parameters) ? parameters : undefined,
    strict: typeof strict === 'boolean' ? strict : undefined,
  }
}

/** `text` is the default format of a custom tool. Only this dialect nests a grammar in a member `grammar`. */
function readGrammar(format: unknown): object | undefined {
  if (!isJsonObject(format) || format.type === 'text') return undefined
  return isJsonObject(format.grammar) ? { type: 'grammar', ...format.grammar } : format
}

export function readToolChoice(choice: unknown, tools: readonly Tool[]): ChosenTools {
  return isJsonObject(choice) ? readChosen(choice, tools) : chooseByWord(choice, tools)
}

function readChosen(choice: JsonObject, tools: readonly Tool[]): ChosenTools {
  const { type } = choice
  if (type === 'allowed_tools') return allowedTools(Object(choice.allowed_tools), tools)
  if (type !== 'function' && type !== 'custom')
    throw invalidParameter('tool_choice', `asks for ${textOf(type)}, which this model cannot use`)
  const tool = findTool(choice, tools)
  if (tool === undefined)
    throw invalidParameter(`tool_choice.${type}.name`, 'must be the name of one of the tools')
  return { tools, choice: { kind: 'tool', name: tool.name, namespace: undefined } }
}

function findTool(named: JsonObject, tools: readonly Tool[]): Tool | undefined {
  const name = textOf(Object(named.function ?? named.custom).name)
  return tools.find((tool) => tool.name === name)
}

/** Leaves the other tools out of the request: no other dialect can offer a tool and forbid it. */
function allowedTools({ mode, tools: named }: JsonObject, tools: readonly Tool[]): ChosenTools {
  const allowed = new Set(objectsIn(named).map((one) => findTool(one, tools)))
  const kept = tools.filter((tool) => allowed.has(tool))
  if (kept.length === 0)
    throw invalidParameter('tool_choice.allowed_tools.tools', 'must name at least one of the tools')
  return { tools: kept, choice: { kind: mode === 'required' ? 'required' : 'auto' } }
}
