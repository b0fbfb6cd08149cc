import { redactedText } from '../errors/vendor-error.ts'
import { walkMembers } from '../json/walk-members.ts'
import type { Edit } from './splice-bytes.ts'

/**
 * Edits for a vendor's error object that opens at `start`, in order: secrets are removed from its texts. `text` is its
 * bytes read as latin1.
 */
export function errorEdits(text: string, start: number, hides: readonly string[]): Edit[] {
  const edits: Edit[] = []
  walkMembers(text, start, (_name, valueStart, valueEnd) => {
    edits.push(...textEdits(text, valueStart, valueEnd, hides))
    return false
  })
  return edits
}

/** Edits for one value. A value that is not text, or has no secret, keeps its bytes. */
export function textEdits(text: string, start: number, end: number, hides: readonly string[]): Edit[] {
  if (text[start] !== '"') return []
  const value: unknown = JSON.parse(Buffer.from(text.slice(start, end), 'latin1').toString('utf8'))
  if (typeof value !== 'string' || value === '') return []
  const redacted = redactedText(value, hides)
  return redacted === value ? [] : [{ start, end, text: JSON.stringify(redacted) }]
}
