import type { LossName } from '../canonical/losses.ts'
import type { TextRequest, Tool, ToolChoice as WantedTool } from '../canonical/request.ts'
import type { ToolNaming } from '../tools/tool-naming.ts'
import type { ToolChoice, ToolDefinition } from './wire.ts'

export function writeTools(
  tools: readonly Tool[],
  naming: ToolNaming,
  losses: Set<LossName>,
): ToolDefinition[] {
  return tools.map((tool) => {
    const name = naming.nameOf(tool, tool.input.kind)
    const { input } = tool
    if (input.kind === 'text') return writeTextTool(name, tool.description, input.format, losses)
    if (input.strict === true) losses.add('strict')
    return { name, description: tool.description, input_schema: writeSchema(input.schema) }
  })
}

/** This wire wants calls in the history to have their tools, also when none may be called any longer. */
export function writeToolsOfHistory(naming: ToolNaming): ToolDefinition[] {
  return [...naming.all].map((name) => ({ name, input_schema: { type: 'object' } }))
}

/** undefined: nothing that is not so anyway. */
export function writeToolChoice(
  { toolChoice, parallelToolCalls }: TextRequest,
  naming: ToolNaming,
): ToolChoice | undefined {
  const isSerial = parallelToolCalls === false && toolChoice?.kind !== 'none'
  if (toolChoice === undefined && !isSerial) return undefined
  const choice = writeChoice(toolChoice ?? { kind: 'auto' }, naming)
  return isSerial ? { ...choice, disable_parallel_tool_use: true } : choice
}

function writeChoice(choice: WantedTool, naming: ToolNaming): ToolChoice {
  switch (choice.kind) {
    case 'required':
      return { type: 'any' }
    case 'tool':
      return { type: 'tool', name: naming.nameOf(choice, 'json') }
    default:
      return { type: choice.kind }
  }
}

/** A schema of arguments is always one of an object here, and has to say so. */
function writeSchema(schema: object | undefined): object {
  if (schema === undefined) return { type: 'object' }
  return 'type' in schema && schema.type === 'object' ? schema : { ...schema, type: 'object' }
}

function writeTextTool(
  name: string,
  description: string | undefined,
  format: object | undefined,
  losses: Set<LossName>,
): ToolDefinition {
  const grammar = sayGrammar(format)
  if (grammar !== undefined) losses.add('tool_grammar')
  const about = [description, grammar].filter((text) => text !== undefined && text !== '')
  return {
    name,
    description: about.length === 0 ? undefined : about.join('\n\n'),
    input_schema: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The whole input, as plain text.' } },
      required: ['input'],
      additionalProperties: false,
    },
  }
}

/** Nothing holds the model to it, but it can read. */
function sayGrammar(format: object | undefined): string | undefined {
  if (format === undefined || !('definition' in format) || typeof format.definition !== 'string') {
    return undefined
  }
  const syntax = 'syntax' in format && typeof format.syntax === 'string' ? `${format.syntax} ` : ''
  return `The input has to follow this ${syntax}grammar:\n${format.definition}`
}
