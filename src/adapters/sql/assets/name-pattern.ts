import { foldName } from './fold-name.ts'

/** A name has 64 characters, of which folding makes 18 each at the most; SQLite refuses patterns of 50,000 bytes. */
const FOLDED_LENGTH_MAX = 4_096

/** For `like ... escape '\'` on a folded name: the part stands for itself, anywhere in the name. Undefined: in none. */
export function namePattern(part: string): string | undefined {
  const folded = foldName(part)
  if (folded.length > FOLDED_LENGTH_MAX) return undefined
  return `%${folded.replace(/[\\%_]/g, '\\$&')}%`
}
