/** `--quick` checks that everything runs; its figures mean little. */
export const IS_QUICK = process.argv.includes('--quick')

/** Number of rounds, of which the median counts. */
export const ROUNDS = IS_QUICK ? 1 : 5

export function amountOf(amount: number): number {
  return IS_QUICK ? Math.ceil(amount / 10) : amount
}

/** The median; of an even number of values, the upper of the two in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN
}

/**
 * Runs one thing at a time, in reverse order in every second round, so that all things share the other load of the
 * machine.
 */
export async function inTurn<T, R>(
  things: readonly T[],
  measure: (thing: T) => Promise<R>,
): Promise<Map<T, R[]>> {
  const found = new Map<T, R[]>(things.map((thing) => [thing, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const thing of round % 2 === 0 ? things : things.toReversed()) {
      found.get(thing)?.push(await measure(thing))
    }
  }
  return found
}
