import type { OfferedTool } from '../asked.ts'
import type { Field } from '../field.ts'

const NAME = /^[a-zA-Z0-9_-]{1,128}$/
/** The vendor's own tools carry a date in their type. */
const OWN_TOOL = /_\d{8}$/

/** The tools that a client runs; the vendor's own are taken and never called. */
export function readTools(field: Field): OfferedTool[] {
  if (!field.isGiven) return []
  const names = new Set<string>()
  return field.items().flatMap((tool) => {
    const type = tool.member('type').ifGiven((kind) => kind.text()) ?? 'custom'
    if (type !== 'custom' && !OWN_TOOL.test(type))
      tool.member('type').fail(`'${type}' is no known type of tool`)
    if (type !== 'custom') return []
    const name = tool.member('name').text()
    if (!NAME.test(name)) tool.member('name').fail(`should match pattern '${NAME.source}'`)
    if (names.has(name)) tool.fail('Tool names must be unique.')
    names.add(name)
    const schema = tool.member('input_schema')
    schema.member('type').oneOf(['object'])
    const description = tool.member('description').ifGiven((text) => text.text()) ?? ''
    return [{ name, namespace: undefined, description, schema: schema.object() }]
  })
}
