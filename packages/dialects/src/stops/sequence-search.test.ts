import { expect, test } from 'vitest'
import { fc } from '../../../../test/random/properties.ts'
import { createSequenceSearch } from './sequence-search.ts'

const shortTexts = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })

test('finds the matches of a plain search in pieces of any size, and holds back only the needed text', () => {
  fc.assert(
    fc.property(fc.array(shortTexts, { maxLength: 6 }), fc.array(shortTexts), (sequences, pieces) => {
      const wanted = sequences.filter((sequence) => sequence !== '')
      const search = createSequenceSearch(sequences)
      let seen = ''
      for (const piece of pieces) {
        const match = search.feed(piece)
        const end = firstEnd(seen + piece, wanted)
        if (end !== undefined) {
          const atEnd = wanted.filter((sequence) => (seen + piece).slice(0, end).endsWith(sequence))
          const [longest] = atEnd.toSorted((one, other) => other.length - one.length)
          expect(match).toEqual({ sequence: longest, end: end - seen.length })
          return
        }
        expect(match).toBeUndefined()
        seen += piece
        expect(search.heldLength).toBe(heldLength(seen, wanted))
      }
    }),
  )
})

test('twenty thousand sequences with the same beginning are told apart', () => {
  const sequences = Array.from({ length: 20_000 }, (_, at) => `${'a'.repeat(40)}${at}!`)
  const search = createSequenceSearch(sequences)
  const text = 'a'.repeat(1_000)
  for (let round = 0; round < 300; round += 1) expect(search.feed(text)).toBeUndefined()
  expect(search.heldLength).toBe(40)
  expect(search.feed('17!')).toEqual({ sequence: sequences[17], end: 3 })
})

function firstEnd(text: string, sequences: readonly string[]): number | undefined {
  const ends = sequences
    .filter((sequence) => text.includes(sequence))
    .map((sequence) => text.indexOf(sequence) + sequence.length)
  return ends.length === 0 ? undefined : Math.min(...ends)
}

function heldLength(text: string, sequences: readonly string[]): number {
  for (let length = text.length; length > 0; length -= 1) {
    const end = text.slice(-length)
    if (sequences.some((sequence) => sequence.startsWith(end))) return length
  }
  return 0
}
