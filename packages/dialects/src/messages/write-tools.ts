import type { LossName } from '../canonical/losses.ts'
import type { TextRequest, Tool, ToolChoice } from '../canonical/request.ts'
import type { ToolNaming } from '../tools/tool-naming.ts'
import type { MessagesToolChoice, MessagesToolDefinition } from './wire.ts'

export function writeTools(
  tools: readonly Tool[],
  naming: ToolNaming,
  losses: Set<LossName>,
): MessagesToolDefinition[] {
  return tools.map((tool) => {
    const name = naming.nameOf(tool, tool.input.kind)
    const { input } = tool
    if (input.kind === 'text') return writeTextTool(name, tool.description, input.format, losses)
    if (input.strict === true) losses.add('strict')
    return { name, description: tool.description, input_schema: writeSchema(input.schema) }
  })
}

/** Definitions of the tools of earlier calls: this dialect needs them, also when none may be called any longer. */
export function writeToolsOfHistory(naming: ToolNaming): MessagesToolDefinition[] {
  return [...naming.all].map((name) => ({ name, input_schema: { type: 'object' } }))
}

/** undefined: the default applies. */
export function writeToolChoice(
  { toolChoice, parallelToolCalls }: TextRequest,
  naming: ToolNaming,
): MessagesToolChoice | undefined {
  const isSerial = parallelToolCalls === false && toolChoice?.kind !== 'none'
  if (toolChoice === undefined && !isSerial) return undefined
  const choice = writeChoice(toolChoice ?? { kind: 'auto' }, naming)
  return isSerial ? { ...choice, disable_parallel_tool_use: true } : choice
}

function writeChoice(choice: ToolChoice, naming: ToolNaming): MessagesToolChoice {
  switch (choice.kind) {
    case 'required':
      return { type: 'any' }
    case 'tool':
      return { type: 'tool', name: naming.nameOf(choice, 'json') }
    default:
      return { type: choice.kind }
  }
}

/** This dialect requires the schema of an object. */
function writeSchema(schema: object | undefined): object {
  if (schema === undefined) return { type: 'object' }
  return 'type' in schema && schema.type === 'object' ? schema : { ...schema, type: 'object' }
}

function writeTextTool(
  name: string,
  description: string | undefined,
  format: object | undefined,
  losses: Set<LossName>,
): MessagesToolDefinition {
  const grammar = describeGrammar(format)
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

/** The vendor does not enforce the grammar, but the model can read it. */
function describeGrammar(format: object | undefined): string | undefined {
  if (format === undefined || !('definition' in format) || typeof format.definition !== 'string') {
    return undefined
  }
  const syntax = 'syntax' in format && typeof format.syntax === 'string' ? `${format.syntax} ` : ''
  return `The input has to follow this ${syntax}grammar:\n${format.definition}`
}
