import fc from 'fast-check'
import { seedOfRun } from './seed-of-run.ts'

fc.configureGlobal({ seed: seedOfRun() })

/** Properties over random values, and the same values in every run. */
export { fc }
