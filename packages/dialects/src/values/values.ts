import { isJsonObject, type JsonObject } from '../json/json-object.ts'

/** An object that should have these members; their types are not checked yet. */
export type Unchecked<Shape> = { readonly [Name in keyof Shape]?: unknown }

/** Clients write null for members that they leave out. */
export function isNil(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

export function isNonEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}

/** Whether an object has content in a member that its reader does not know, and that a conversion would drop. */
export function hasUnknownFields(holder: JsonObject, known: ReadonlySet<string>): boolean {
  for (const name in holder) if (!known.has(name) && !isEmptyValue(holder[name])) return true
  return false
}

/** Clients replay whole objects, with null, false or an empty value in unused members. */
function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** A temperature or `top_p` of 1 is the vendor's default, and reasoning models refuse even that. */
export function unlessDefault(value: number | undefined): number | undefined {
  return value === 1 ? undefined : value
}

/** The objects of a list; none where the value is not a list. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** The value of a text field that may be missing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
