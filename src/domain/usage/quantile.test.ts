import { describe, expect, test } from 'vitest'
import { type Histogram, quantile } from './quantile.ts'

const of = (...counts: number[]): Histogram =>
  counts.map((count, index) => ({ upToMs: [100, 250, 1_000, null][index] ?? null, count }))

describe('a quantile', () => {
  test.each([
    ['of nothing', of(0, 0, 0, 0), 0.5, null],
    ['of no bounds', [], 0.5, null],
    ['lies within its bounds, in proportion', of(10, 0, 0, 0), 0.5, 50],
    ['passes empty bounds', of(0, 0, 4, 0), 0.5, 625],
    ['may be a bound itself', of(5, 5, 0, 0), 0.5, 100],
    ['of a high share', of(90, 9, 1, 0), 0.99, 250],
    ['beyond the last bound is that bound', of(1, 0, 0, 99), 0.95, 1_000],
    ['of one value', of(0, 1, 0, 0), 0.5, 175],
    ['of nine values: no 95th percentile', of(0, 9, 0, 0), 0.95, null],
    ['of ten values: a 95th percentile', of(0, 10, 0, 0), 0.95, 243],
    ['of 49 values: no 99th percentile', of(49, 0, 0, 0), 0.99, null],
    ['of 50 values: a 99th percentile', of(50, 0, 0, 0), 0.99, 99],
  ])('%s', (_what, histogram, share, expected) => {
    expect(quantile(histogram, share)).toBe(expected)
  })
})
