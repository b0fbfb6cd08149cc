import { expect, test } from 'vitest'
import { drawsOf } from '../../../random/full-run.ts'
import { seedOfRun } from '../../../random/seed-of-run.ts'
import { compareMany } from './compare-many.ts'

const CASES = drawsOf({ quick: 20_000, rest: 50_000, whole: 1_000_000 })
/** A million of them take a quarter of an hour. */
const TIMEOUT_MS = 3_600_000

test('the fast door reads accepted requests like Node, and accepts none that Node refuses', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { byDoor, refused } = await compareMany(seedOfRun(), CASES)
  // The comparison proves something only if the door reads many of the cases, and refuses many.
  expect(byDoor).toBeGreaterThan(CASES / 3)
  expect(refused).toBeGreaterThan(CASES / 20)
})
