import { isJsonObject, type JsonObject } from '../json/json-object.ts'

/** Tools that a request offers: its own, and those that items of its input bring. */
export function toolsIn({ tools, input }: Readonly<JsonObject>): readonly unknown[] {
  const own = Array.isArray(tools) ? tools : []
  if (!Array.isArray(input)) return own
  return [...own, ...input.flatMap((item) => (isJsonObject(item) ? toolsIn({ tools: item.tools }) : []))]
}
