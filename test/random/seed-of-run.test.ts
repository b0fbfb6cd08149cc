import { expect, it } from 'vitest'
import { fc } from './properties.ts'
import { seedOfRun } from './seed-of-run.ts'

it('is the same in every run, unless a run sets another', () => {
  expect(seedOfRun('')).toBe(seedOfRun(''))
  expect(seedOfRun('7')).toBe(7)
  expect(seedOfRun(String(2 ** 31 - 1))).toBe(2 ** 31 - 1)
})

it.each(['new', '-1', '1.5', 'seven', String(2 ** 31)])('refuses %s', (wanted) => {
  expect(() => seedOfRun(wanted)).toThrow(`TEST_SEED "${wanted}"`)
})

it('decides what the properties draw', () => {
  const draw = () => fc.sample(fc.nat(), { numRuns: 5, seed: seedOfRun() })
  expect(fc.readConfigureGlobal().seed).toBe(seedOfRun())
  expect(draw()).toEqual(draw())
})
