import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Tool, ToolChoice } from '../hub/text-request.ts'
import { isWebSearch, type ToolShelf } from './read-tools.ts'
import { textOf } from './text-of.ts'

interface Chosen {
  tools: readonly Tool[]
  choice: ToolChoice | undefined
}

/** Which tools the model may use, and whether it must. */
export function readToolChoice(choice: unknown, shelf: ToolShelf): Chosen {
  const tools = shelf.tools
  if (tools.length === 0 && shelf.hasWebSearch) {
    throw wrong('tools', 'has nothing but web_search, which works only with native models of its own vendor')
  }
  if (isJsonObject(choice)) return readChosen(choice, tools)
  switch (choice) {
    case 'none':
    case 'auto':
      return { tools, choice: { kind: choice } }
    case 'required':
      if (tools.length > 0) return { tools, choice: { kind: 'required' } }
      throw wrong('tool_choice', 'asks for a tool, and there is none that this model can use')
    default:
      return { tools, choice: undefined }
  }
}

function readChosen(choice: JsonObject, tools: readonly Tool[]): Chosen {
  switch (choice.type) {
    case 'function':
    case 'custom':
      return { tools, choice: oneTool(choice, tools) }
    case 'allowed_tools':
      return allowedTools(choice, tools)
    default:
      throw isWebSearch(choice.type)
        ? wrong('tool_choice', 'asks for web_search, which works only with native models of its own vendor')
        : wrong('tool_choice', `asks for ${textOf(choice.type)}, which this model cannot use`)
  }
}

function oneTool(choice: JsonObject, tools: readonly Tool[]): ToolChoice {
  const tool = findTool(choice, tools)
  if (tool === undefined) throw wrong('tool_choice.name', 'must be the name of one of the tools')
  return { kind: 'tool', name: tool.name, namespace: tool.namespace }
}

/** A choice seldom says the namespace: the name alone is enough where only one tool has it. */
function findTool(choice: JsonObject, tools: readonly Tool[]): Tool | undefined {
  const name = textOf(choice.name)
  const namespace = textOf(choice.namespace)
  return tools.find((tool) => tool.name === name && (namespace === '' || tool.namespace === namespace))
}

/** The others stay out of the request: no other wire can offer a tool and forbid it. */
function allowedTools(choice: JsonObject, tools: readonly Tool[]): Chosen {
  const allowed = new Set(
    Array.isArray(choice.tools)
      ? choice.tools.map((one: unknown) => (isJsonObject(one) ? findTool(one, tools) : undefined))
      : [],
  )
  const kept = tools.filter((tool) => allowed.has(tool))
  if (kept.length === 0) throw wrong('tool_choice.tools', 'must name at least one of the tools')
  return { tools: kept, choice: { kind: choice.mode === 'required' ? 'required' : 'auto' } }
}

function wrong(param: string, problem: string): Refusal {
  return new Refusal('invalid_parameter', { param, message: `${param} ${problem}.` })
}
