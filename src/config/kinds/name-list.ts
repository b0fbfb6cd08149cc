import { closestName } from '../closest-name.ts'
import type { Kind } from './kind.ts'

/** Some of a few names, separated by commas. */
export function nameList<const Name extends string>(names: readonly Name[]): Kind<readonly Name[]> {
  return {
    takes: `names separated by commas, out of ${names.join(', ')}`,
    secret: false,
    parse(text) {
      const found: Name[] = []
      for (const word of text.split(',').map((entry) => entry.trim())) {
        const name = names.find((candidate) => candidate === word)
        if (name === undefined) return unknown(word, names)
        found.push(name)
      }
      return { value: found }
    },
  }
}

function unknown(word: string, names: readonly string[]): { wrong: string; fix?: string } {
  if (word === '') return { wrong: 'has an empty entry' }
  const meant = closestName(word, names)
  const fix = `Did you mean ${meant}? Use names out of ${names.join(', ')}.`
  return { wrong: `has the entry "${word}", which is none of the known names`, ...(meant && { fix }) }
}
