import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { Part } from '../canonical/request.ts'

/** An object that should have these members, of which none is checked yet. */
export type Unchecked<Shape> = { readonly [Name in keyof Shape]?: unknown }

/** Clients write null for what they leave out. */
export function isNil(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

/** Whether it is a list with something in it. */
export function isNonEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}

/** Whether an object says something in a member that its reader does not know, and that a conversion would drop. */
export function hasUnknownFields(holder: JsonObject, known: ReadonlySet<string>): boolean {
  for (const name in holder) if (!known.has(name) && !isEmptyValue(holder[name])) return true
  return false
}

/** Clients replay whole objects, with null, false or something empty in the members that they have no use for. */
function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Whether a part leaves a model something to answer: words, media, a call or its result. */
export function hasContent(part: Part): boolean {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text !== ''
    case 'reasoning':
    case 'opaque':
      return false
    default:
      return true
  }
}

/** What JSON spells; undefined, which no JSON spells, when it is none. */
export function parseOrNone(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** A temperature or `top_p` of 1 is what a vendor takes anyway, and models that reason refuse even to hear it. */
export function unlessDefault(value: number | undefined): number | undefined {
  return value === 1 ? undefined : value
}

/** The objects of a list; none where it is no list. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** A text field that may be missing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
