export interface Field {
  /** Path of the field, such as `data[].id`. */
  name: string
  type: string
  required: boolean
  description: string
}

/** Depth to which the reference shows a schema. */
const DEPTH_MAX = 4

/** Fields of a JSON schema, outer before inner, in the order of the schema. */
export function listFields(schema: unknown, { path = '', depth = 0 } = {}): Field[] {
  const { properties, items, required, anyOf } = membersOf(schema)
  if (depth >= DEPTH_MAX) return []
  if (Array.isArray(anyOf)) return listChoices(anyOf, { path, depth })
  if (items !== undefined) return listFields(items, { path: `${path}[]`, depth: depth + 1 })
  const requiredNames = Array.isArray(required) ? required : []
  return Object.entries(membersOf(properties)).flatMap(([name, member]) => {
    const here = path === '' ? name : `${path}.${name}`
    const { description } = membersOf(member)
    const isRequired = requiredNames.includes(name)
    const field: Field = {
      name: here,
      type: typeText(isRequired ? member : withoutNull(member)),
      required: isRequired,
      description: typeof description === 'string' ? description : '',
    }
    return [field, ...listFields(member, { path: here, depth: depth + 1 })]
  })
}

/** Fields of objects of several kinds: each field once, and required when every kind requires it. */
function listChoices(choices: readonly unknown[], place: { path: string; depth: number }): Field[] {
  const kinds = choices.filter((choice) => 'properties' in membersOf(choice))
  const fields = kinds.map((kind) => listFields(kind, place))
  const [lists] = choices.filter((choice) => 'items' in membersOf(choice))
  const names = Map.groupBy(fields.flat(), ({ name }) => name)
  const joined = [...names.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : {
          ...first,
          type: [...new Set([first, ...others].map(({ type }) => type))].join(' or '),
          required: others.length === kinds.length - 1 && [first, ...others].every((one) => one.required),
        },
  )
  return [...joined, ...(lists === undefined ? [] : listFields(lists, place))]
}

/** Short form of a schema: `integer, 0 or more`, `string or null`, `"list"`. */
export function typeText(schema: unknown): string {
  const members = membersOf(schema)
  if ('const' in members) return JSON.stringify(members.const)
  if (Array.isArray(members.enum)) return members.enum.map((value) => JSON.stringify(value)).join(' or ')
  const choices = members.anyOf ?? members.oneOf
  if (Array.isArray(choices)) return [...new Set(choices.map(typeText))].join(' or ')
  const type = typeof members.type === 'string' ? members.type : 'any value'
  if (type === 'array') {
    const inner = typeText(members.items)
    return [inner === 'any value' ? 'array' : `array of ${inner}`, ...itemBoundsOf(members)].join(', ')
  }
  return [type, ...boundsOf(members)].join(', ')
}

/** Removes null from the type of an optional field, because nearly every row of the table would show it. */
function withoutNull(schema: unknown): Record<string, unknown> {
  const members = membersOf(schema)
  const { type, enum: values, anyOf } = members
  return {
    ...members,
    ...(Array.isArray(type) && { type: type.find((name) => name !== 'null') }),
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.filter((choice) => membersOf(choice).type !== 'null') }),
  }
}

function itemBoundsOf({ minItems, maxItems }: Record<string, unknown>): string[] {
  if (typeof maxItems !== 'number') return typeof minItems === 'number' ? [`${minItems} or more items`] : []
  return [typeof minItems === 'number' ? `${minItems} to ${maxItems} items` : `at most ${maxItems} items`]
}

function boundsOf(members: Record<string, unknown>): string[] {
  const bounds: string[] = []
  const { format, maxLength } = members
  const [minimum, maximum] = [members.minimum, members.maximum].map((bound) =>
    Number.isSafeInteger(bound) && Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER ? undefined : bound,
  )
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
