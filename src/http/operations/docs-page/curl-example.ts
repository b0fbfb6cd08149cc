import type { Operation } from '../../operation.ts'

/** Shell lines to paste. `SLUICE_URL` and the keys are set at the top of the page. */
export function curlExample({ method, path, access, headers = {}, body, example = {} }: Operation): string {
  const shown = path.replaceAll(
    /:(\w+)/g,
    (_all, name: string) => example.path?.[name] ?? `$${name.toUpperCase()}`,
  )
  const address = `"$SLUICE_URL${shown}"`
  const lines = [method === 'GET' ? `curl ${address}` : `curl -X ${method} ${address}`]
  if (access === 'api-key') lines.push('-H "Authorization: Bearer $SLUICE_API_KEY"')
  if (access === 'admin') lines.push('-H "X-Admin-Key: $SLUICE_ADMIN_KEY"')
  for (const [name, header] of Object.entries(headers))
    if (header.example !== undefined) lines.push(`-H '${name}: ${header.example}'`)
  if (body !== undefined) {
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(sampleOf(body.schema))}'`)
  }
  const call = lines.join(' \\\n  ')
  return example.before === undefined ? call : `${example.before}\n${call}`
}

/** Example of the schema, or the smallest value that it accepts. */
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

/** Shell line that reads the first id of a response with standard tools. */
export function takeId(name: string, curl: string): string {
  return `${name}=$(${curl} | sed 's/^[^}]*"id":"\\([^"]*\\)".*/\\1/')`
}
