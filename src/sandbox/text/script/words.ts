/** What a word in square brackets makes this vendor do, and whether a number belongs to it; docs/sandbox.md explains each. */
export const WORDS = {
  count: 'number',
  words: 'number',
  long: 'number',
  empty: 'none',
  reason: 'none',
  sign: 'none',
  refuse: 'none',
  filter: 'none',
  pace: 'number',
  cached: 'number',
  'no-usage': 'none',
  fail: 'either',
  busy: 'either',
  overloaded: 'none',
  'too-long': 'none',
  never: 'none',
  silent: 'none',
  cut: 'number',
  garbage: 'number',
  split: 'none',
  interleave: 'none',
  'no-end': 'none',
  headers: 'none',
} as const satisfies Record<string, 'none' | 'number' | 'either'>

export type Word = keyof typeof WORDS

export function isWord(name: string): name is Word {
  return Object.hasOwn(WORDS, name)
}
