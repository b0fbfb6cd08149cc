import { expect, it } from 'vitest'
import { isFreshUrl, isUsableUrl } from './url-age.ts'

const HOUR_MS = 3_600_000

it.each([
  [0, true, true],
  [6 * HOUR_MS - 1, true, true],
  [6 * HOUR_MS, false, true],
  [11 * HOUR_MS - 1, false, true],
  [11 * HOUR_MS, false, false],
  [-59_999, true, true],
  [-HOUR_MS, false, false],
])('a link that is %i ms old: fresh %j, usable %j', (ageMs, isFresh, isUsable) => {
  const link = { urlAtMs: 1_000 }
  expect(isFreshUrl(link, 1_000 + ageMs)).toBe(isFresh)
  expect(isUsableUrl(link, 1_000 + ageMs)).toBe(isUsable)
})

it('a missing link is neither fresh nor usable', () => {
  expect(isFreshUrl({ urlAtMs: null }, 0)).toBe(false)
  expect(isUsableUrl({ urlAtMs: null }, 0)).toBe(false)
})
