import { expect, test } from 'vitest'
import { coverAllButOne, isUncovered } from './cover-all-but-one.ts'
import { micros } from './micros.ts'

const REQUEST = { reserveMicros: micros(300), possibleMicros: micros(5_000) }

test('the first request sets aside the 300 micros that it is likely to cost, and can cost more', () => {
  const setAside = coverAllButOne(REQUEST, { hasUncovered: false })
  expect(setAside).toBe(300)
  expect(isUncovered(REQUEST, setAside)).toBe(true)
})

test('a second request sets aside all 5,000 micros that it can cost', () => {
  const setAside = coverAllButOne(REQUEST, { hasUncovered: true })
  expect(setAside).toBe(5_000)
  expect(isUncovered(REQUEST, setAside)).toBe(false)
})

test('a request with equal maximum and probable cost is covered, so that another may be uncovered', () => {
  const exact = { reserveMicros: micros(300), possibleMicros: micros(300) }
  expect(isUncovered(exact, coverAllButOne(exact, { hasUncovered: false }))).toBe(false)
})
