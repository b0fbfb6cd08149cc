import type { LossName } from '../canonical/losses.ts'
import type { OutputFormat, Tool, ToolChoice } from '../canonical/request.ts'
import { strictnessOf } from '../tools/strictness-of.ts'
import { formatName } from '../values/names.ts'
import type { NamespaceTool, ResponsesToolChoice, ResponsesToolDefinition, TextFormat } from './wire.ts'

type NameTool = (name: string, input: 'json' | 'text') => string

/** Writes tools; those of a namespace stand under its name. */
export function writeTools(tools: readonly Tool[], nameOf: NameTool = asItIs): ResponsesToolDefinition[] {
  const written: ResponsesToolDefinition[] = []
  const namespaces = new Map<string, NamespaceTool['tools']>()
  for (const tool of tools) {
    if (tool.namespace === undefined) {
      written.push(writeTool(tool, nameOf))
      continue
    }
    let members = namespaces.get(tool.namespace)
    if (members === undefined) {
      members = []
      namespaces.set(tool.namespace, members)
      written.push({ type: 'namespace', name: tool.namespace, description: '', tools: members })
    }
    members.push(writeTool(tool, asItIs))
  }
  return written
}

function asItIs(name: string): string {
  return name
}

/** `strict` is always written: where it is missing, this dialect makes optional arguments required. */
function writeTool({ name, description, input }: Tool, nameOf: NameTool): NamespaceTool['tools'][number] {
  if (input.kind === 'text') {
    return {
      type: 'custom',
      name: nameOf(name, 'text'),
      ...(description === undefined ? {} : { description }),
      format: input.format ?? { type: 'text' },
    }
  }
  return {
    type: 'function',
    name: nameOf(name, 'json'),
    description: description ?? null,
    parameters: input.schema ?? { type: 'object', properties: {} },
    strict: input.strict ?? false,
  }
}

export function writeToolChoice(
  choice: ToolChoice,
  tools: readonly Tool[],
  nameOf: NameTool = asItIs,
): ResponsesToolChoice {
  if (choice.kind !== 'tool') return choice.kind
  const tool = tools.find(({ name, namespace }) => name === choice.name && namespace === choice.namespace)
  const input = tool?.input.kind ?? 'json'
  return {
    type: input === 'text' ? 'custom' : 'function',
    name: choice.namespace === undefined ? nameOf(choice.name, input) : choice.name,
    ...(choice.namespace === undefined ? {} : { namespace: choice.namespace }),
  }
}

export function writeFormat(format: OutputFormat, losses: Set<LossName>): TextFormat {
  if (format.kind === 'json-object') return { type: 'json_object' }
  const { name, description, schema } = format
  return {
    type: 'json_schema',
    name: formatName(name),
    ...(description === undefined ? {} : { description }),
    schema,
    strict: strictnessOf(format, losses),
  }
}
