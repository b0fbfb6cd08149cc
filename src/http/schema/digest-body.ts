import { createHash } from 'node:crypto'

/** Equal for bodies that are the same JSON value: neither blanks nor the order of members make another request of it. */
export function digestBody(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body, sortMembers)).digest('hex')
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
