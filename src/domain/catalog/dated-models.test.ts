import { expect, test } from 'vitest'
import { endingModels, oldPrices } from './dated-models.ts'

const NOW_MS = Date.UTC(2026, 10, 18, 12)

test('prices are old after 90 days, and are named once for each vendor and day', () => {
  const rows = [
    { name: 'openai/a', pricesTaken: '2026-08-19' },
    { name: 'openai/b', pricesTaken: '2026-08-19' },
    { name: 'openai/c', pricesTaken: '2026-08-20' },
    { name: 'acme/d' },
    { name: 'acme/e', pricesTaken: 'soon' },
  ]
  expect(oldPrices(rows, NOW_MS)).toEqual([
    { provider: 'openai', why: 'the prices of 2 models were taken on 2026-08-19, 91 days ago' },
  ])
})

test('a model with an end date is named before and after that date', () => {
  const rows = [
    { name: 'a/later', ends: '2026-11-19' },
    { name: 'a/today', ends: '2026-11-18' },
    { name: 'a/lasting' },
  ]
  expect(endingModels(rows, NOW_MS)).toEqual([
    { model: 'a/later', why: 'its vendor ends it on 2026-11-19' },
    { model: 'a/today', why: 'its vendor ended it on 2026-11-18' },
  ])
})
