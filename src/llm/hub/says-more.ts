import type { JsonObject } from '../../domain/json-object.ts'

/** Whether an object says something in a member that its reader does not know, and that a conversion would drop. */
export function saysMore(holder: JsonObject, known: ReadonlySet<string>): boolean {
  for (const name in holder) if (!known.has(name) && !saysNothing(holder[name])) return true
  return false
}

/** Clients replay whole objects, with null, false or something empty in the members that they have no use for. */
function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}
