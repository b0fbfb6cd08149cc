import type { JsonObject } from '@sluice/dialects/json/json-object'

/** A rule that the schema cannot say: it allows the value, and the parser refuses it. */
export interface Stricter {
  name: string
  why: string
  example: JsonObject
  applies(body: JsonObject): boolean
}

/** A spelling that the schema does not show: the parser reads the value as if it were `read(value)`. */
export interface Looser {
  name: string
  why: string
  example: unknown
  read(body: JsonObject): unknown
}

export interface Exceptions {
  stricter?: readonly Stricter[]
  looser?: readonly Looser[]
}
