import { expect, test } from 'vitest'
import type { SimulatorRun } from '../reliability/page.ts'
import { addRun, newStart } from './seed-runs.ts'

function run(firstSeed: number, seeds: number, more: Partial<SimulatorRun> = {}): SimulatorRun {
  return {
    ...{ commit: 'old', date: '2026-11-18', command: '', firstSeed, seeds, broken: [] },
    ...{ events: 0, requests: 0, virtualSeconds: 0, realSeconds: 0, processes: 1, faults: {}, ...more },
  }
}

const rangesOf = (runs: readonly SimulatorRun[]) => runs.map(({ firstSeed, seeds }) => [firstSeed, seeds])

test('new seeds begin at a random thousand, outside of everything that was run', () => {
  expect(newStart([], 2_000, () => 0)).toBe(1)
  expect(newStart([], 2_000, () => 0.5)).toBe(500_000_001)
  const runs = [run(1, 1_000), run(5_001, 1_000)]
  // The draws begin at 1, 4,001 and 2,001; only the third range of 2,000 seeds has no earlier run.
  const draws = [0, 0.000_004, 0.000_002]
  expect(newStart(runs, 2_000, () => draws.shift() ?? 0.5)).toBe(2_001)
  expect(() => newStart([run(1, 1_000)], 10, () => 0)).toThrow('no 10 seeds in a row')
})

test('new seeds go on after a run that was stopped, unless others were run there', () => {
  const stopped = run(7_001, 300, { seedsLeft: 1_700 })
  expect(newStart([run(1, 1_000), stopped], 2_000, () => 0.5)).toBe(7_301)
  expect(newStart([stopped, run(7_400, 10)], 2_000, () => 0.5)).toBe(500_000_001)
  const [first, second] = addRun([stopped], run(7_301, 1_700))
  expect(first?.seedsLeft).toBeUndefined()
  expect(second?.firstSeed).toBe(7_301)
})

test('runs are sorted by their seeds, and a run replaces the runs whose seeds it includes', () => {
  const runs = [run(1, 1_000), run(9_001, 100)]
  expect(rangesOf(addRun(runs, run(5_001, 500)))).toEqual([
    [1, 1_000],
    [5_001, 500],
    [9_001, 100],
  ])
  expect(rangesOf(addRun(runs, run(9_001, 200)))).toEqual([
    [1, 1_000],
    [9_001, 200],
  ])
})

test('a seed that broke a rule stays recorded, with the commit since which it breaks none', () => {
  const broken = [
    { seed: 12, rule: 'budget' },
    { seed: 13, rule: 'budget' },
  ]
  const runs = [run(1, 1_000, { broken })]
  const [held, ...rest] = addRun(runs, run(12, 1, { commit: 'new' }))
  expect(rest).toEqual([])
  expect(held?.broken).toEqual([
    { seed: 12, rule: 'budget', holdsSince: 'new' },
    { seed: 13, rule: 'budget' },
  ])
  const again = run(12, 1, { commit: 'new', broken: [{ seed: 12, rule: 'budget' }] })
  expect(addRun(runs, again)[0]?.broken).toEqual(broken)
})
