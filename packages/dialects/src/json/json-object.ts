export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is an object in the sense of JSON: neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
