import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { isNil, objectsIn } from '../values/values.ts'

/** Whether a request marks any of its parts for a cache that keeps for longer than five minutes. */
export function asksForLongCache(body: JsonObject): boolean {
  const { tools, system, messages } = body
  return isMarkedLong(body) || [tools, system, messages].some((list) => objectsIn(list).some(isMarkedLong))
}

function isMarkedLong({ cache_control: mark, content }: JsonObject): boolean {
  return (isJsonObject(mark) && isLongMark(mark)) || objectsIn(content).some(isMarkedLong)
}

/** A mark without a lifetime means five minutes. */
export function isLongMark({ ttl }: JsonObject): boolean {
  return !isNil(ttl) && ttl !== '5m'
}
