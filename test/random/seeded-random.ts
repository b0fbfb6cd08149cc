/** Random numbers that can be replayed: the same seed gives the same run. */
export interface SeededRandom {
  readonly seed: number
  /** Returns a number of at least 0 and less than 1. */
  next(): number
  /** Both ends included. */
  integer(min: number, max: number): number
  pick<T>(items: readonly [T, ...T[]]): T
}

/** Mulberry32: short, and good enough to choose moments and modes. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return { seed, next, integer, pick: (items) => items[integer(0, items.length - 1)] ?? items[0] }
}
