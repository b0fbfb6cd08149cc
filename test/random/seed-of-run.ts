/** Seed of `npm test`: it is fixed, so that only a change of the code can make a test fail. */
const USUAL_SEED = 20_261_115

/** `TEST_SEED` replays the run of a seed. `new` is replaced by an unused seed before the tests begin. */
export function seedOfRun(wanted = process.env.TEST_SEED): number {
  if (wanted === undefined || wanted === '') return USUAL_SEED
  const seed = Number(wanted)
  if (Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31) return seed
  throw new Error(`TEST_SEED "${wanted}" is neither "new" nor a whole number below 2^31`)
}
