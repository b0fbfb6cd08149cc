/** Whether every row of every table is tried, as `npm run test:rest` and `npm run test:all` do; `npm test` samples. */
export function isFullRun(): boolean {
  return isWhole() || process.env.TEST_RUNS === 'rest'
}

/**
 * Number of random values: `quick` in `npm test`, from a fixed seed; `rest` in `npm run test:rest`, from a second seed;
 * `whole` in `npm run test:all` and `npm run faults`.
 */
export function drawsOf({ quick, rest, whole }: { quick: number; rest: number; whole: number }): number {
  if (isWhole()) return whole
  return isFullRun() ? rest : quick
}

function isWhole(): boolean {
  return process.env.TEST_RUNS === 'all'
}
