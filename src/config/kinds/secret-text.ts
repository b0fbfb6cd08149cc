import { Secret } from '../secret.ts'
import type { Kind } from './kind.ts'

/** A password or key. Faults speak of its length and its characters, never of the text. */
export function secretText({ min, inHeader }: { min: number; inHeader: boolean }): Kind<Secret> {
  const length = min > 1 ? `at least ${min} characters` : 'a secret text'
  const takes = inHeader ? `${length} of plain ASCII without spaces` : length
  return {
    takes,
    secret: true,
    parse(text) {
      const size = [...text].length
      if (size < min) return { wrong: `is too short (length ${size})` }
      if (inHeader && !/^[!-~]+$/.test(text))
        return { wrong: 'holds a space, a control character or a character outside ASCII' }
      return { value: new Secret(text) }
    },
  }
}
