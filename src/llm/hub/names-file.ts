import { isJsonObject } from '../../domain/json-object.ts'

/**
 * Whether a part of a conversation names a file that the vendor keeps. Looked for where parts hold parts, and nowhere
 * else: the input of a tool may have a `file_id` of its own.
 */
export function namesFile(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(namesFile)
  if (!isJsonObject(part)) return false
  return typeof part.file_id === 'string' || HOLDERS.some((member) => namesFile(part[member]))
}

const HOLDERS = ['content', 'source', 'output']
