import { randomInt } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { seedOfRun } from './seed-of-run.ts'

/** Another seed than that of `npm test`, and always the same: CI fails only because of a change. */
const REST_SEED = '20261116'

/** Chooses one seed for all tests, and prints it when it is not that of `npm test`. */
export default function setUp({ config }: TestProject): void {
  if (config.env.TEST_RUNS === 'rest') process.env.TEST_SEED ||= REST_SEED
  if (process.env.TEST_SEED === 'new') process.env.TEST_SEED = String(randomInt(2 ** 31))
  const seed = seedOfRun()
  if (process.env.TEST_SEED) process.stdout.write(`TEST_SEED=${seed}\n`)
}
