import { closestName } from '../../domain/closest-name.ts'
import type { Kind } from './kind.ts'

/** One word out of a few. */
export function oneOf<const Word extends string>(words: readonly Word[]): Kind<Word> {
  return {
    takes: `one of ${words.join(', ')}`,
    secret: false,
    parse(text) {
      const word = words.find((candidate) => candidate === text)
      if (word !== undefined) return { value: word }
      const meant = closestName(text, words)
      return {
        wrong: 'is not one of the known words',
        ...(meant === undefined ? {} : { fix: `Did you mean ${meant}? Use one of ${words.join(', ')}.` }),
      }
    },
  }
}
