import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { kindOfItem } from './kind-of-item.ts'

/** The ids of earlier output that the input points to instead of repeating it, in their order. */
export function referencesIn(body: JsonObject): string[] {
  const { input } = body
  if (!Array.isArray(input)) return []
  const ids: string[] = []
  for (const item of input) {
    const id = referenceOf(item)
    if (id !== undefined) ids.push(id)
  }
  return ids
}

/**
 * The same body with references that `items` knows replaced by what they point to, each item once: vendors refuse an item
 * that comes twice, and a few bytes that point to it a thousand times must not become a thousand of it.
 */
export function resolveReferences(body: JsonObject, items: ReadonlyMap<string, object>): JsonObject {
  const { input } = body
  if (!Array.isArray(input)) return body
  const used = new Set<string>()
  const resolved = input.map((item: unknown) => {
    const id = referenceOf(item)
    if (id === undefined || used.has(id)) return item
    used.add(id)
    return items.get(id) ?? item
  })
  return { ...body, input: resolved }
}

function referenceOf(item: unknown): string | undefined {
  if (!isJsonObject(item) || kindOfItem(item) !== 'item_reference') return undefined
  return typeof item.id === 'string' ? item.id : undefined
}
