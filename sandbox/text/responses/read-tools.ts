import type { Field } from '../field.ts'
import type { OfferedTool } from '../model-request.ts'

const NAME = /^[a-zA-Z0-9_-]{1,128}$/

/** Types of the vendor's built-in tools: accepted, and never called. */
const OWN_TOOLS = [
  'web_search',
  'web_search_preview',
  'file_search',
  'code_interpreter',
  'computer',
  'computer_use_preview',
  'image_generation',
  'local_shell',
  'shell',
  'apply_patch',
  'mcp',
  'tool_search',
]

export function readTools(field: Field, namespace?: string): OfferedTool[] {
  if (!field.isGiven) return []
  return field.items().flatMap((tool) => readTool(tool, namespace))
}

function readTool(tool: Field, namespace: string | undefined): OfferedTool[] {
  const type = tool.member('type').text()
  const description = tool.member('description').ifGiven((text) => text.text()) ?? ''
  switch (type) {
    case 'function': {
      if (tool.member('function').isGiven) tool.member('function').fail('is not known here')
      const schema = tool.member('parameters').ifGiven((parameters) => parameters.object()) ?? {}
      return [{ name: readName(tool), namespace, description, schema }]
    }
    case 'custom':
      return [{ name: readName(tool), namespace, description, schema: undefined }]
    case 'namespace': {
      if (namespace !== undefined) return tool.fail('namespaces cannot be nested')
      const tools = tool.member('tools')
      return tools.isGiven ? readTools(tools, readName(tool)) : tools.fail('is required')
    }
    default:
      return OWN_TOOLS.includes(type) || /^web_search(_preview)?_\d{4}_\d{2}_\d{2}$/.test(type)
        ? []
        : tool.member('type').fail(`'${type}' is no known type of tool`)
  }
}

function readName(tool: Field): string {
  const name = tool.member('name')
  return NAME.test(name.text()) ? name.text() : name.fail(`must match pattern '${NAME.source}'`)
}
