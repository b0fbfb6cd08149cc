import type { JsonObject } from '../../domain/json-object.ts'

/** The `type` of an item, which two kinds may leave out; undefined: it has none, and nothing says what it is. */
export function kindOfItem(item: JsonObject): string | undefined {
  const { type } = item
  if (typeof type === 'string') return type
  if (type !== undefined && type !== null) return undefined
  if (item.role !== undefined || item.content !== undefined) return 'message'
  return typeof item.id === 'string' ? 'item_reference' : undefined
}
