import { walkMembers } from '../../json/walk-members.ts'
import { type Edit, spliceText } from '../../passthrough/splice-bytes.ts'

/** The JSON of a member's value. `json` may be cut off: then its last value may be incomplete. */
export function memberOf(json: string, name: string): string | undefined {
  let value: string | undefined
  walkMembers(json, json.indexOf('{'), (member, start, end) => {
    if (member !== name) return false
    value = json.slice(start, end)
    return true
  })
  return value
}

/** Returns the offset of a member's value; the offset of the closing brace when there is none. */
export function startOf(json: string, name: string): number {
  return walkMembers(json, json.indexOf('{'), () => false, name)
}

/**
 * Replaces or adds members of an object; their values are JSON. Every other character stays: parsing and serializing a
 * reply would round big numbers, and take long for a large one.
 */
export function withMembers(json: string, members: Readonly<Record<string, string>>): string {
  const start = json.indexOf('{')
  const { text, end } = editMembers(json, start, members)
  return json.slice(0, start) + text + json.slice(end)
}

/**
 * Edits the object that opens at `start` as `withMembers` does; `end` is the offset behind it. A large object is walked
 * once: `found` has the JSON of the other members in `wanted`.
 */
export function editMembers(
  json: string,
  start: number,
  members: Readonly<Record<string, string>>,
  wanted: ReadonlySet<string> = NONE,
): { text: string; end: number; found: Map<string, string> } {
  const missing = new Map(Object.entries(members))
  const found = new Map<string, string>()
  const edits: Edit[] = []
  let isEmpty = true
  const closing = walkMembers(json, start, (name, valueStart, valueEnd) => {
    isEmpty = false
    if (wanted.has(name)) found.set(name, json.slice(valueStart, valueEnd))
    const text = Object.hasOwn(members, name) ? members[name] : undefined
    if (text === undefined) return false
    missing.delete(name)
    edits.push({ start: valueStart - start, end: valueEnd - start, text })
    return false
  })
  const more = [...missing].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')
  const at = closing - start
  if (more !== '') edits.push({ start: at, end: at, text: isEmpty ? more : `,${more}` })
  const end = closing + 1
  return { text: spliceText(json.slice(start, end), edits), end, found }
}

const NONE: ReadonlySet<string> = new Set()

/** Maximum length of a member in the outline of a response. */
const OUTLINE_MEMBER_MAX = 16 * 1024

/** The small members of a response, without its output. */
export function outlineOf(response: string): string {
  return withMembers(withoutLongMembers(response, OUTLINE_MEMBER_MAX), { output: '[]', output_text: '""' })
}

/** Removes the members whose values are longer than `lengthMax`. */
export function withoutLongMembers(json: string, lengthMax: number): string {
  const kept: string[] = []
  walkMembers(json, json.indexOf('{'), (name, start, end) => {
    if (end - start <= lengthMax) kept.push(`${JSON.stringify(name)}:${json.slice(start, end)}`)
    return false
  })
  return `{${kept.join(',')}}`
}
