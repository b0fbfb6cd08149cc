import { expect, it } from 'vitest'
import { foldName } from './list-assets.ts'

it.each([
  ['Portrait', 'pORTRAIT'],
  ['Zoë', 'ZOE\u0308'],
  ['ＡＢＣ', 'abc'],
  ['Οδυσσεύς', 'ΟΔΥΣΣΕΎΣ'],
  ['Straße', 'STRASSE'],
  ['МОСКВА', 'москва'],
  ['肖像', '肖像'],
])('%s and %s fold to the same text', (one, other) => {
  expect(foldName(one)).toBe(foldName(other))
})

it.each([
  ['e', 'é'],
  ['o', '0'],
  ['肖', '像'],
  ['a', 'а'],
])('%s and %s fold to different texts', (one, other) => {
  expect(foldName(one)).not.toBe(foldName(other))
})
