import { expect, test } from 'vitest'
import { type SeedResult, Tally } from './tally.ts'

function result(seed: number, more: Partial<SeedResult> = {}): SeedResult {
  const counts = { events: 10, requests: 1, seconds: 2, faults: { crash: 1 } }
  return { seed, digest: `trace of ${seed}`, ...counts, broken: undefined, ...more }
}

test('counts the seeds up to the first one that is missing, in whatever order they come', () => {
  const tally = new Tally(100)
  tally.add(result(101))
  expect(tally.seeds).toBe(0)
  tally.add(result(100))
  tally.add(result(103, { broken: { rule: 'budget', message: 'budget: too much' } }))
  expect([tally.seeds, tally.events, tally.faultCount]).toEqual([2, 20, 2])
  expect(tally.broken).toEqual([])
  tally.add(result(102))
  expect(tally.seeds).toBe(4)
  expect(tally.broken).toEqual([{ seed: 103, rule: 'budget' }])
})

test('two seeds with one trace end the run', () => {
  const tally = new Tally(1)
  tally.add(result(1))
  expect(() => tally.add(result(2, { digest: 'trace of 1' }))).toThrow('the seed decides nothing')
})
