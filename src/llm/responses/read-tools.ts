import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { LossName } from '../hub/losses.ts'
import { saysMore } from '../hub/says-more.ts'
import type { Tool } from '../hub/text-request.ts'
import { textOf } from './text-of.ts'

/**
 * The tools of a request, from wherever they are given: its `tools`, items that bring more of them, searches that found
 * some. One name is one tool, and the last word about it counts.
 */
export class ToolShelf {
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

  put(tools: readonly unknown[]): void {
    for (const tool of tools) if (isJsonObject(tool)) this.#putOne(tool)
  }

  #putOne(tool: JsonObject): void {
    const { type } = tool
    if (isWebSearch(type)) {
      this.#hasWebSearch = true
      this.#losses.add('web_search')
    } else if (type === 'namespace' && Array.isArray(tool.tools)) {
      const namespace = textOf(tool.name)
      if (textOf(tool.description) !== '') this.#losses.add('namespace_description')
      if (saysMore(tool, NAMESPACE_FIELDS)) this.#losses.add('unknown_field')
      for (const member of tool.tools) if (isJsonObject(member)) this.#add(member, namespace)
    } else {
      this.#add(tool, undefined)
    }
  }

  #add(tool: JsonObject, namespace: string | undefined): void {
    if (tool.type !== 'function' && tool.type !== 'custom') {
      this.#losses.add('unknown_tool')
      return
    }
    if (tool.defer_loading === true) this.#losses.add('defer_loading')
    const known = tool.type === 'function' ? FUNCTION_FIELDS : CUSTOM_FIELDS
    if (saysMore(tool, known) || !isForTheModel(tool.allowed_callers)) this.#losses.add('unknown_field')
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

/** The model itself is who calls a tool anyway; a program that its vendor runs is not there. */
function isForTheModel(callers: unknown): boolean {
  return !Array.isArray(callers) || callers.every((caller) => caller === 'direct')
}

/** "web_search", and its names with "preview" and dates. */
export function isWebSearch(type: unknown): boolean {
  return typeof type === 'string' && type.startsWith('web_search')
}

function jsonInput({ parameters, strict }: JsonObject): Tool['input'] {
  return {
    kind: 'json',
    schema: isJsonObject(parameters) ? parameters : undefined,
    strict: typeof strict === 'boolean' ? strict : undefined,
  }
}

/** "text" is what a custom tool takes anyway. */
function textInput({ format }: JsonObject): Tool['input'] {
  return { kind: 'text', format: isJsonObject(format) && format.type !== 'text' ? format : undefined }
}
