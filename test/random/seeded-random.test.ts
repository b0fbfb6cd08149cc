import { expect, it } from 'vitest'
import { seededRandom } from './seeded-random.ts'

it('gives the same numbers for the same seed, and others for another seed', () => {
  const draw = (seed: number) => Array.from({ length: 20 }, seededRandom(seed).next)
  expect(draw(42)).toEqual(draw(42))
  expect(draw(42)).not.toEqual(draw(43))
})

it('reaches both ends of a range, every item, and nothing beyond', () => {
  const random = seededRandom(7)
  const integers = new Set(Array.from({ length: 500 }, () => random.integer(3, 6)))
  expect([...integers].toSorted()).toEqual([3, 4, 5, 6])
  const picked = new Set(Array.from({ length: 500 }, () => random.pick(['a', 'b', 'c'])))
  expect([...picked].toSorted()).toEqual(['a', 'b', 'c'])
})
