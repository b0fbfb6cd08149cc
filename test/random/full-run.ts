/** `npm test` is to be quick and samples; `npm run test:rest` and `npm run test:all` try every row of every table. */
export function isFullRun(): boolean {
  return isWhole() || process.env.TEST_RUNS === 'fresh'
}

/**
 * How many random values are tried: `quick` in `npm test`, which draws the same ones every time; `fresh` in
 * `npm run test:rest`, which draws new ones every time; and `whole` in `npm run test:all` and `npm run faults`.
 */
export function drawsOf({ quick, fresh, whole }: { quick: number; fresh: number; whole: number }): number {
  if (isWhole()) return whole
  return isFullRun() ? fresh : quick
}

function isWhole(): boolean {
  return process.env.TEST_RUNS === 'all'
}
