import type { LossName } from '../canonical/losses.ts'
import type { OutputFormat, Tool, ToolChoice as WantedTool } from '../canonical/request.ts'
import { strictnessOf } from '../tools/strictness-of.ts'
import { formatName } from '../values/names.ts'
import type { NamespaceTool, TextFormat, ToolChoice, ToolDefinition } from './wire.ts'

type NameOf = (name: string, input: 'json' | 'text') => string

/** Tools as this wire spells them, those of a namespace under its name. */
export function writeTools(tools: readonly Tool[], nameOf: NameOf = asItIs): ToolDefinition[] {
  const written: ToolDefinition[] = []
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

/** Where a client did not ask for strictness it must be said: this wire would make optional arguments required. */
function writeTool({ name, description, input }: Tool, nameOf: NameOf): NamespaceTool['tools'][number] {
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
  choice: WantedTool,
  tools: readonly Tool[],
  nameOf: NameOf = asItIs,
): ToolChoice {
  if (choice.kind !== 'tool') return choice.kind
  const tool = tools.find(({ name, namespace }) => name === choice.name && namespace === choice.namespace)
  const input = tool?.input.kind ?? 'json'
  return {
    type: input === 'text' ? 'custom' : 'function',
    name: choice.namespace === undefined ? nameOf(choice.name, input) : choice.name,
    ...(choice.namespace === undefined ? {} : { namespace: choice.namespace }),
  }
}

/** The shape the text is held to. */
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
