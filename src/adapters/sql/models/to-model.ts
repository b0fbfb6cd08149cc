import type { Selectable } from 'kysely'
import type { Model, TextEndpoint } from '../../../domain/catalog/model.ts'
import type { Tables } from '../tables.ts'

export function toModel(row: Selectable<Tables['models']>): Model {
  return {
    modelId: row.model_id,
    name: row.name,
    endpoints: row.endpoints === null ? null : readEndpoints(row.endpoints),
    maxOutputTokens: row.max_output_tokens,
    createdAtMs: row.created_at_ms,
  }
}

/** Operators edit this column by hand: one unreadable list must not hide the whole catalog. */
function readEndpoints(json: string): TextEndpoint[] | null {
  const value = parse(json)
  return Array.isArray(value) ? value.filter(isTextEndpoint) : null
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function isTextEndpoint(value: unknown): value is TextEndpoint {
  return value === 'messages' || value === 'responses'
}
