import { invalidParameter } from '../canonical/bad-parameter.ts'
import type { LossName } from '../canonical/losses.ts'
import type { Tool, ToolChoice } from '../canonical/request.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { RequestError } from '../request-error.ts'
import { hasUnknownFields, isNil } from '../values/values.ts'

/** Reads the client's own tools. Tools that only vendors of this dialect run are declared as losses, or refused. */
export function readTools(body: JsonObject, losses: Set<LossName>): Tool[] {
  const tools: Tool[] = []
  const dropped: DroppedTool[] = []
  for (const [place, tool] of readList(body.tools).entries()) {
    if (!isJsonObject(tool)) continue
    if (isNil(tool.type) || tool.type === 'custom') tools.push(readTool(tool, losses))
    else dropped.push({ place, name: tool.name, type: String(tool.type) })
  }
  if (dropped.length > 0) refuseNeeded(dropped, tools.length > 0, body.tool_choice)
  for (const { type } of dropped) losses.add(lossOf(type))
  if (readList(body.mcp_servers).length > 0) losses.add('unknown_tool')
  return tools
}

interface DroppedTool {
  place: number
  name: unknown
  type: string
}

function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A dropped tool search only means that all tools are sent together; other dropped tools are missing. */
function lossOf(type: string): LossName {
  if (type.startsWith('web_search')) return 'web_search'
  return type.startsWith('tool_search_tool') ? 'defer_loading' : 'unknown_tool'
}

/**
 * Refuses a request that needs a dropped tool. Web search is dispensable beside other tools; alone, or chosen, it is the
 * purpose of the request. If a tool call is required, a tool must remain.
 */
function refuseNeeded(dropped: readonly DroppedTool[], hasOthers: boolean, choice: unknown): void {
  const { type, name: chosen } = isJsonObject(choice) ? choice : {}
  const wanted = dropped.find(({ name }) => type === 'tool' && name === chosen)
  if (wanted !== undefined) {
    throw new RequestError('invalid_parameter', { param: 'tool_choice', message: unknownToolMessage(wanted) })
  }
  if (hasOthers) return
  const search = dropped.find(({ type }) => lossOf(type) === 'web_search')
  if (search !== undefined) {
    throw new RequestError('invalid_parameter', {
      param: `tools.${search.place}`,
      message: 'web_search works only with models of the vendor who runs it.',
    })
  }
  if (type === 'any' || type === 'tool') {
    throw invalidParameter('tool_choice', 'asks for a tool, and there is none that this model can use')
  }
}

/**
 * The vendor runs some of these tools. The client runs the others, which only the vendor's models know how to call.
 */
function unknownToolMessage({ name, type }: DroppedTool): string {
  return RUN_BY_CLIENTS.test(type)
    ? `Only models of its own vendor know how to call ${name}. Choose another tool, give it as a tool of your own with an input_schema, or choose one of those models.`
    : `This model has no ${name} of its own. Choose another tool, or a model of the vendor who runs it.`
}

const RUN_BY_CLIENTS = /^(bash|text_editor|memory|computer)_\d/

/** `eager_input_streaming` asks for the gateway's default. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'name',
  'description',
  'input_schema',
  'strict',
  'cache_control',
  'defer_loading',
  'eager_input_streaming',
])

function readTool(tool: JsonObject, losses: Set<LossName>): Tool {
  if (!isNil(tool.cache_control)) losses.add('cache_control')
  if (tool.defer_loading === true) losses.add('defer_loading')
  if (hasUnknownFields(tool, KNOWN_FIELDS)) losses.add('unknown_field')
  return {
    name: String(tool.name),
    namespace: undefined,
    description: typeof tool.description === 'string' ? tool.description : undefined,
    input: {
      kind: 'json',
      schema: isJsonObject(tool.input_schema) ? tool.input_schema : undefined,
      strict: typeof tool.strict === 'boolean' ? tool.strict : undefined,
    },
  }
}

export function readToolChoice(choice: unknown): ToolChoice | undefined {
  if (!isJsonObject(choice)) return undefined
  if (choice.type === 'tool') return { kind: 'tool', name: String(choice.name), namespace: undefined }
  if (choice.type === 'any') return { kind: 'required' }
  return choice.type === 'none' ? { kind: 'none' } : { kind: 'auto' }
}
