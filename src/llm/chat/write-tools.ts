import { isJsonObject } from '../../domain/json-object.ts'
import type { LossName } from '../hub/losses.ts'
import type { Tool, ToolChoice } from '../hub/text-request.ts'
import type { ToolNaming } from '../hub/tool-naming.ts'

interface ToolsContext {
  naming: ToolNaming
  losses: Set<LossName>
}

export function writeTools(tools: readonly Tool[], { naming, losses }: ToolsContext): object[] {
  return tools.map(({ name, namespace, description, input }) => {
    const called = { name: naming.nameOf({ name, namespace }, input.kind) }
    if (input.kind === 'json') {
      const { schema = { type: 'object', properties: {} }, strict } = input
      return { type: 'function', function: { ...called, description, parameters: schema, strict } }
    }
    if (input.format !== undefined) losses.add('tool_grammar')
    const words = [description, FREE_TEXT, input.format && describeGrammar(input.format)]
    return {
      type: 'function',
      function: {
        ...called,
        description: words.filter((word) => word !== undefined && word !== '').join('\n\n'),
        parameters: FREE_TEXT_SCHEMA,
      },
    }
  })
}

const FREE_TEXT = 'Give the whole input of this tool as plain text in `input`.'

const FREE_TEXT_SCHEMA = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The input, as plain text.' } },
  required: ['input'],
  additionalProperties: false,
}

function describeGrammar(format: object): string | undefined {
  if (!isJsonObject(format)) return undefined
  const { syntax, definition } = isJsonObject(format.grammar) ? format.grammar : format
  if (typeof definition !== 'string') return undefined
  const kind = typeof syntax === 'string' ? `${syntax} grammar` : 'grammar'
  return `The input must keep to this ${kind}:\n${definition}`
}

export function writeToolChoice(choice: ToolChoice, naming: ToolNaming): string | object {
  if (choice.kind !== 'tool') return choice.kind
  return { type: 'function', function: { name: naming.nameOf(choice, 'json') } }
}
