import { randomInt } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { seedOfRun } from './seed-of-run.ts'

/** Before the tests: one seed for all of them, and it is shown when it is not the usual one. */
export default function setUp({ config }: TestProject): void {
  if (config.env.TEST_RUNS === 'fresh') process.env.TEST_SEED ||= 'new'
  if (process.env.TEST_SEED === 'new') process.env.TEST_SEED = String(randomInt(2 ** 31))
  const seed = seedOfRun()
  if (process.env.TEST_SEED) process.stdout.write(`TEST_SEED=${seed}\n`)
}
