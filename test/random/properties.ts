import fc from 'fast-check'
import { isFullRun } from './full-run.ts'
import { seedOfRun } from './seed-of-run.ts'

fc.configureGlobal({ seed: seedOfRun() })

const QUICK_RUNS_MAX = 200

export function runs(wanted: number): { numRuns: number } {
  return { numRuns: isFullRun() ? wanted : Math.min(wanted, QUICK_RUNS_MAX) }
}

/** Properties over random values, and the same values in every run. */
export { fc }
