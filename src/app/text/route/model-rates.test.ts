import { expect, test } from 'vitest'
import { createModelRates } from './model-rates.ts'

test('a model without a measurement gets the usual rate', () => {
  expect(createModelRates().tokensPerSecond('a/b')).toBe(60)
})

test('the first reply sets the rate of its model, and later replies move it', () => {
  const rates = createModelRates()
  rates.note('a/b', { outputTokens: 1_000, reasoningTokens: 0, durationMs: 10_000 })
  expect(rates.tokensPerSecond('a/b')).toBe(100)
  rates.note('a/b', { outputTokens: 1_000, reasoningTokens: 0, durationMs: 5_000 })
  expect(rates.tokensPerSecond('a/b')).toBe(110)
  expect(rates.tokensPerSecond('a/c')).toBe(60)
})

test.each([
  ['a short reply', { outputTokens: 99, reasoningTokens: 0, durationMs: 1 }, 60],
  ['a reply that took no time', { outputTokens: 1_000, reasoningTokens: 0, durationMs: 0 }, 60],
  ['a reply to a slow client', { outputTokens: 100, reasoningTokens: 0, durationMs: 300_000 }, 20],
  ['a reply from a cache', { outputTokens: 100_000, reasoningTokens: 0, durationMs: 1 }, 1_000],
])('%s', (_name, reply, rate) => {
  const rates = createModelRates()
  rates.note('a/b', reply)
  expect(rates.tokensPerSecond('a/b')).toBe(rate)
})

test('a model reasons if one of its replies was counted with reasoning', () => {
  const rates = createModelRates()
  expect(rates.reasons('a/b')).toBeUndefined()
  for (const [reasoningTokens, reasons] of [
    [0, false],
    [7, true],
    [0, true],
  ] as const) {
    rates.note('a/b', { outputTokens: 10, reasoningTokens, durationMs: 1 })
    expect(rates.reasons('a/b')).toBe(reasons)
  }
})
