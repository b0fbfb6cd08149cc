import { invalidParameter } from '../canonical/bad-parameter.ts'
import type { LossName } from '../canonical/losses.ts'
import type { Tool, ToolChoice } from '../canonical/request.ts'
import { type ChosenTools, chooseByWord } from '../canonical/tool-choice.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { hasUnknownFields, textOf } from '../values/values.ts'

/**
 * Tools of a request from all sources: its `tools`, items that bring more tools, and tool searches. One name in one
 * namespace is one tool, and the last definition counts.
 */
export class Toolbox {
  readonly #tools = new Map<string, Tool>()
  readonly #losses: Set<LossName>
  #hasWebSearch = false

  constructor(losses: Set<LossName>) {
    this.#losses = losses
  }

  get tools(): Tool[] {
    return [...this.#tools.values()]
  }

  /** Whether a search of the web was offered: only its own vendor can run it. */
  get hasWebSearch(): boolean {
    return this.#hasWebSearch
  }

  add(tools: readonly unknown[]): void {
    for (const tool of tools) if (isJsonObject(tool)) this.#addOne(tool)
  }
  #addOne(tool: JsonObject): void {
    const { type } = tool
    if (isWebSearch(type)) {
      this.#hasWebSearch = true
      this.#losses.add('web_search')
    } else if (type === 'namespace' && Array.isArray(tool.tools)) {
      const namespace = textOf(tool.name)
      if (textOf(tool.description) !== '') this.#losses.add('namespace_description')
      if (hasUnknownFields(tool, NAMESPACE_FIELDS)) this.#losses.add('unknown_field')
      for (const member of tool.tools) if (isJsonObject(member)) this.#addTool(member, namespace)
    } else {
      this.#addTool(tool, undefined)
    }
  }

  #addTool(tool: JsonObject, namespace: string | undefined): void {
    if (tool.type !== 'function' && tool.type !== 'custom') {
      this.#losses.add('unknown_tool')
      return
    }
    if (tool.defer_loading === true) this.#losses.add('defer_loading')
    const known = tool.type === 'function' ? FUNCTION_FIELDS : CUSTOM_FIELDS
    if (hasUnknownFields(tool, known) || !isForTheModel(tool.allowed_callers))
      this.#losses.add('unknown_field')
    const name = textOf(tool.name)
    this.#tools.set(JSON.stringify([namespace, name]), {
      name,
      namespace,
      description: textOf(tool.description) || undefined,
      input: tool.type === 'function' ? jsonInput(tool) : textInput(tool),
    })
  }
}

const NAMESPACE_FIELDS: ReadonlySet<string> = new Set(['type', 'name', 'description', 'tools'])

const TOOL_FIELDS = ['type', 'name', 'description', 'defer_loading', 'allowed_callers']
const FUNCTION_FIELDS: ReadonlySet<string> = new Set([...TOOL_FIELDS, 'parameters', 'strict'])
const CUSTOM_FIELDS: ReadonlySet<string> = new Set([...TOOL_FIELDS, 'format'])

/** Whether only the model itself may call the tool. Programs that a vendor would run cannot call it here. */
function isForTheModel(callers: unknown): boolean {
  return !Array.isArray(callers) || callers.every((caller) => caller === 'direct')
}

/** "web_search", and its names with "preview" and dates. */
function isWebSearch(type: unknown): boolean {
  return typeof type === 'string' && type.startsWith('web_search')
}

function jsonInput({ parameters, strict }: JsonObject): Tool['input'] {
  return {
    kind: 'json',
    schema: isJsonObject(parameters) ? parameters : undefined,
    strict: typeof strict === 'boolean' ? strict : undefined,
  }
}

/** "text" is the default of a custom tool. */
function textInput({ format }: JsonObject): Tool['input'] {
  return { kind: 'text', format: isJsonObject(format) && format.type !== 'text' ? format : undefined }
}

export function readToolChoice(choice: unknown, toolbox: Toolbox): ChosenTools {
  const { tools } = toolbox
  if (tools.length === 0 && toolbox.hasWebSearch) {
    throw invalidParameter(
      'tools',
      'has nothing but web_search, which works only with native models of its own vendor',
    )
  }
  return isJsonObject(choice) ? readChosen(choice, tools) : chooseByWord(choice, tools)
}

function readChosen(choice: JsonObject, tools: readonly Tool[]): ChosenTools {
  switch (choice.type) {
    case 'function':
    case 'custom':
      return { tools, choice: oneTool(choice, tools) }
    case 'allowed_tools':
      return allowedTools(choice, tools)
    default:
      throw isWebSearch(choice.type)
        ? invalidParameter(
            'tool_choice',
            'asks for web_search, which works only with native models of its own vendor',
          )
        : invalidParameter('tool_choice', `asks for ${textOf(choice.type)}, which this model cannot use`)
  }
}

function oneTool(choice: JsonObject, tools: readonly Tool[]): ToolChoice {
  const tool = findTool(choice, tools)
  if (tool === undefined) throw invalidParameter('tool_choice.name', 'must be the name of one of the tools')
  return { kind: 'tool', name: tool.name, namespace: tool.namespace }
}

/** A choice seldom has the namespace: without it the first tool of this name is chosen. */
function findTool(choice: JsonObject, tools: readonly Tool[]): Tool | undefined {
  const name = textOf(choice.name)
  const namespace = textOf(choice.namespace)
  return tools.find((tool) => tool.name === name && (namespace === '' || tool.namespace === namespace))
}

/** Leaves the other tools out of the request: canonical requests cannot offer a tool and forbid it. */
function allowedTools(choice: JsonObject, tools: readonly Tool[]): ChosenTools {
  const allowed = new Set(
    Array.isArray(choice.tools)
      ? choice.tools.map((one: unknown) => (isJsonObject(one) ? findTool(one, tools) : undefined))
      : [],
  )
  const kept = tools.filter((tool) => allowed.has(tool))
  if (kept.length === 0) throw invalidParameter('tool_choice.tools', 'must name at least one of the tools')
  return { tools: kept, choice: { kind: choice.mode === 'required' ? 'required' : 'auto' } }
}
