import { walkMembers } from '../../json/walk-members.ts'
import { type Edit, spliceText } from '../../passthrough/splice-bytes.ts'

/** The JSON of a member's value. `json` is valid. */
export function memberOf(json: string, name: string): string | undefined {
  const place = placeOf(json, name)
  return place && json.slice(place.start, place.end)
}

/** Returns the offsets of a member's value. */
export function placeOf(json: string, name: string): { start: number; end: number } | undefined {
  let place: { start: number; end: number } | undefined
  walkMembers(json, json.indexOf('{'), (member, start, end) => {
    if (member !== name) return false
    place = { start, end }
    return true
  })
  return place
}

/**
 * Replaces or adds members of an object; their values are JSON. Every other character stays: parsing and serializing a
 * reply would round big numbers, and take long for a large one.
 */
export function withMembers(json: string, members: Readonly<Record<string, string>>): string {
  const missing = new Map(Object.entries(members))
  const edits: Edit[] = []
  let isEmpty = true
  const closing = walkMembers(json, json.indexOf('{'), (name, start, end) => {
    isEmpty = false
    const text = Object.hasOwn(members, name) ? members[name] : undefined
    if (text === undefined) return false
    missing.delete(name)
    edits.push({ start, end, text })
    return false
  })
  const more = [...missing].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')
  if (more !== '') edits.push({ start: closing, end: closing, text: isEmpty ? more : `,${more}` })
  return spliceText(json, edits)
}

/** Maximum length of a member that is kept of a response that is too large. */
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
