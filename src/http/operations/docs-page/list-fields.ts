export interface Field {
  /** Where it stands: `data[].id`. */
  name: string
  type: string
  required: boolean
  description: string
}

/** How deep a reference page follows a schema; a reader is lost sooner. */
const DEPTH_MAX = 4

/** The fields of a JSON schema, outer before inner, in the order they were written. */
export function listFields(schema: unknown, { path = '', depth = 0 } = {}): Field[] {
  const { properties, items, required } = membersOf(schema)
  if (depth >= DEPTH_MAX) return []
  if (items !== undefined) return listFields(items, { path: `${path}[]`, depth: depth + 1 })
  const requiredNames = Array.isArray(required) ? required : []
  return Object.entries(membersOf(properties)).flatMap(([name, member]) => {
    const here = path === '' ? name : `${path}.${name}`
    const { description } = membersOf(member)
    const field: Field = {
      name: here,
      type: typeText(member),
      required: requiredNames.includes(name),
      description: typeof description === 'string' ? description : '',
    }
    return [field, ...listFields(member, { path: here, depth: depth + 1 })]
  })
}

/** A schema in a few words: `integer, 0 or more`, `string or null`, `"list"`. */
export function typeText(schema: unknown): string {
  const members = membersOf(schema)
  if ('const' in members) return JSON.stringify(members.const)
  if (Array.isArray(members.enum)) return members.enum.map((value) => JSON.stringify(value)).join(' or ')
  const choices = members.anyOf ?? members.oneOf
  if (Array.isArray(choices)) return choices.map(typeText).join(' or ')
  const type = typeof members.type === 'string' ? members.type : 'any value'
  if (type === 'array') {
    const inner = typeText(members.items)
    return [inner === 'any value' ? 'array' : `array of ${inner}`, ...itemBoundsOf(members)].join(', ')
  }
  return [type, ...boundsOf(members)].join(', ')
}

function itemBoundsOf({ minItems, maxItems }: Record<string, unknown>): string[] {
  if (typeof maxItems !== 'number') return typeof minItems === 'number' ? [`${minItems} or more items`] : []
  return [typeof minItems === 'number' ? `${minItems} to ${maxItems} items` : `at most ${maxItems} items`]
}

function boundsOf(members: Record<string, unknown>): string[] {
  const bounds: string[] = []
  const { format, minimum, maximum, maxLength } = members
  if (typeof format === 'string') bounds.push(format)
  if (typeof minimum === 'number' && typeof maximum === 'number') bounds.push(`${minimum} to ${maximum}`)
  else if (typeof minimum === 'number') bounds.push(`${minimum} or more`)
  else if (typeof maximum === 'number') bounds.push(`at most ${maximum}`)
  if (typeof maxLength === 'number') bounds.push(`at most ${maxLength} characters`)
  if ('default' in members) bounds.push(`default ${JSON.stringify(members.default)}`)
  return bounds
}

function membersOf(schema: unknown): Record<string, unknown> {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? { ...schema } : {}
}
