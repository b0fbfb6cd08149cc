import { cleanWords } from '../vendor-error.ts'
import type { Edit } from './splice-bytes.ts'
import { walkMembers } from './walk-members.ts'

/**
 * What has to change in a vendor's error object that opens at `start`, in order: whatever it says in words is made fit
 * for a client. `text` is its bytes read as latin1.
 */
export function errorEdits(text: string, start: number, hides: readonly string[]): Edit[] {
  const edits: Edit[] = []
  walkMembers(text, start, (_name, valueStart, valueEnd) => {
    edits.push(...wordEdits(text, valueStart, valueEnd, hides))
    return false
  })
  return edits
}

/** Of one value. It keeps its bytes where it is no text, or has nothing to hide. */
export function wordEdits(text: string, start: number, end: number, hides: readonly string[]): Edit[] {
  if (text[start] !== '"') return []
  const words: unknown = JSON.parse(Buffer.from(text.slice(start, end), 'latin1').toString('utf8'))
  if (typeof words !== 'string' || words === '') return []
  const cleaned = cleanWords(words, hides)
  return cleaned === words ? [] : [{ start, end, text: JSON.stringify(cleaned) }]
}
