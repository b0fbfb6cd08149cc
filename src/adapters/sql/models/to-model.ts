import type { Selectable } from 'kysely'
import type { Model, TextEndpoint } from '../../../domain/catalog/model.ts'
import type { Tables } from '../tables.ts'

export function toModel(row: Selectable<Tables['models']>): Model {
  const fallbacks = readArray(row.fallbacks)?.filter(isText) ?? []
  return {
    modelId: row.model_id,
    name: row.name,
    endpoints: readArray(row.endpoints)?.filter(isTextEndpoint) ?? null,
    maxOutputTokens: row.max_output_tokens,
    ...(row.like_model === null ? {} : { likeModel: row.like_model }),
    ...(row.context_tokens === null ? {} : { contextTokens: row.context_tokens }),
    ...(fallbacks.length === 0 ? {} : { fallbacks }),
    ...(row.fallback_price === null ? {} : { fallbackPrice: row.fallback_price }),
    ...(row.long_context_tokens === null ? {} : { longContextTokens: row.long_context_tokens }),
    createdAtMs: row.created_at_ms,
  }
}

/** Operators edit these columns by hand: one unreadable list must not hide the whole catalog. */
function readArray(json: string | null): unknown[] | undefined {
  if (json === null) return undefined
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isTextEndpoint(value: unknown): value is TextEndpoint {
  return value === 'messages' || value === 'responses'
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
