/** Numbers that depend on a seed alone, so that a run can be repeated. */
export interface Random {
  /** Returns a number of at least 0 and below 1. */
  fraction(): number
  /** Returns a whole number, both ends included. */
  whole(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly T[]): T
  bytes(size: number): Buffer
  /** Makes another sequence of numbers: the draws of one part do not change those of another. */
  branch(name: string): Random
}

export function createRandom(seed: number, name = ''): Random {
  let state = seedOf(seed, name)

  /** Mulberry32: short, and good enough to choose the next event. */
  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  const whole = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1))
  return {
    fraction,
    whole,
    chance: (probability) => fraction() < probability,
    pick<T>(choices: readonly T[]): T {
      const chosen = choices[whole(0, choices.length - 1)]
      if (chosen === undefined) throw new Error('there is nothing to choose from')
      return chosen
    },
    bytes: (size) => Buffer.from(Array.from({ length: size }, () => whole(0, 255))),
    branch: (child) => createRandom(seed, `${name}/${child}`),
  }
}

/**
 * FNV-1a over the seed and the name. The seed is not also the start of the hash, because its two uses would cancel each
 * other out.
 */
function seedOf(seed: number, name: string): number {
  let hash = 0x811c9dc5
  for (const character of `${seed}${name}`) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  }
  return hash | 0
}
