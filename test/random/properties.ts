import fc from 'fast-check'
import { drawsOf } from './full-run.ts'
import { seedOfRun } from './seed-of-run.ts'

fc.configureGlobal({ seed: seedOfRun() })

const QUICK_RUNS_MAX = 100
const REST_RUNS_MAX = 500

export function runs(wanted: number): { numRuns: number } {
  const [quick, rest] = [Math.min(wanted, QUICK_RUNS_MAX), Math.min(wanted, REST_RUNS_MAX)]
  return { numRuns: drawsOf({ quick, rest, whole: wanted }) }
}

/** fast-check, with the seed of the run. */
export { fc }
