/** Example of the schema; without one, a simple value of its type. Objects have their required members only. */
export function sampleOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return null
  const members: Record<string, unknown> = { ...schema }
  if (Array.isArray(members.examples)) return members.examples[0]
  if ('const' in members) return members.const
  if ('default' in members) return members.default
  if (Array.isArray(members.enum)) return members.enum[0]
  if (Array.isArray(members.anyOf)) return sampleOf(members.anyOf[0])
  switch (members.type) {
    case 'object':
      return sampleObject(members)
    case 'array':
      return [sampleOf(members.items)]
    case 'integer':
    case 'number':
      return typeof members.minimum === 'number' ? members.minimum : 1
    case 'boolean':
      return true
    case 'string':
      return members.format === 'date-time' ? '2026-01-02T03:04:05.000Z' : '...'
    default:
      return null
  }
}

function sampleObject({ properties, required }: Record<string, unknown>): Record<string, unknown> {
  if (typeof properties !== 'object' || properties === null || !Array.isArray(required)) return {}
  const needed = Object.entries(properties).filter(([name]) => required.includes(name))
  return Object.fromEntries(needed.map(([name, member]) => [name, sampleOf(member)]))
}
