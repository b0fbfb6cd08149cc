export type JsonObject = Readonly<Record<string, unknown>>

/** What JSON calls an object: neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
