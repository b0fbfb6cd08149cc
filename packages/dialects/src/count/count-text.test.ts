import { expect, test } from 'vitest'
import KNOWN from '../../../../test/fixtures/text/known-counts.json' with { type: 'json' }
import { countText } from './count-text.ts'

/** The known counts are those of o200k_base: most text models of today have a similar vocabulary. */
test.each(KNOWN)('$name: within 15 % of $tokens', ({ text, tokens }) => {
  const counted = countText(text)
  expect(counted).toBeGreaterThanOrEqual(tokens * 0.85)
  expect(counted).toBeLessThanOrEqual(tokens * 1.15)
})

test('all texts together: within 5 %', () => {
  const counted = KNOWN.reduce((sum, { text }) => sum + countText(text), 0)
  const known = KNOWN.reduce((sum, { tokens }) => sum + tokens, 0)
  expect(Math.abs(counted / known - 1)).toBeLessThan(0.05)
})

test.each([
  ['', 0],
  ['a', 1],
  [' ', 0],
  ['Hello world', 2],
  ['1234567', 3],
  ["don't", 2],
  ['\n\n\n', 1],
])('%j is %i', (text, tokens) => {
  expect(Math.abs(countText(text) - tokens)).toBeLessThanOrEqual(1)
})

test('a long text is counted by its parts', () => {
  const paragraph = KNOWN.map(({ text }) => text).join('\n')
  const once = countText(paragraph)
  const times = 200
  expect(Math.abs(countText(paragraph.repeat(times)) / (once * times) - 1)).toBeLessThan(0.05)
})

test('lone surrogates and controls count as something', () => {
  expect(countText('\ud800\u0000\uffff\u200d')).toBeGreaterThan(0)
})
