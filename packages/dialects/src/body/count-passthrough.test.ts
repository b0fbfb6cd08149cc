import { expect, test } from 'vitest'
import { countPassthrough } from './count-passthrough.ts'

function count(endpoint: 'messages' | 'responses', value: Record<string, unknown>): number {
  return countPassthrough({ endpoint, body: { bytes: Buffer.from(JSON.stringify(value)), value } })
}

const WORDS = 'the quick brown fox jumps over the lazy dog '.repeat(100)

test.each([
  ['messages', { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: WORDS }] }],
  ['responses', { model: 'm', input: WORDS }],
] as const)('%s: a request is counted by its text', (endpoint, value) => {
  // A word is a token; a count by size would be about 1,490.
  expect(count(endpoint, value)).toBeGreaterThan(850)
  expect(count(endpoint, value)).toBeLessThan(1_100)
})

test.each([
  [
    'messages',
    { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: [{ type: 'new', words: WORDS }] }] },
  ],
  ['responses', { model: 'm', prompt: { id: 'pmpt_1' }, input: WORDS }],
] as const)('%s: a request that only a conversion would refuse is counted by its size', (endpoint, value) => {
  const bytes = Buffer.byteLength(JSON.stringify(value))
  expect(count(endpoint, value)).toBe(Math.ceil(bytes / 3))
})
