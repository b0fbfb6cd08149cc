import { createHash } from 'node:crypto'
import { stableJson } from '../../domain/json/stable-json.ts'

/** Returns the same digest for bodies that are the same JSON value. */
export function digestBody(body: unknown): string {
  return createHash('sha256').update(stableJson(body)).digest('hex')
}
