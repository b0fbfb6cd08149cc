import { expect, test } from 'vitest'
import { createBodyGauge } from './body-gauge.ts'

test('an organization holds at most its share, and all organizations together at most the limit of the process', () => {
  const gauge = createBodyGauge({ bodyBytesMax: 100, bodyBytesEachMax: 40 })
  expect(gauge.take('a', 30)).toBeUndefined()
  expect(gauge.take('a', 11)).toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 1 })
  expect(gauge.take('a', 10)).toBeUndefined()
  expect(gauge.take('b', 40)).toBeUndefined()
  expect(gauge.take('c', 21)).toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 })
  expect(gauge.take('c', 20)).toBeUndefined()
  expect(gauge.bytes).toBe(100)
  gauge.give('a', 40)
  expect(gauge.bytes).toBe(60)
  expect(gauge.take('c', 20)).toBeUndefined()
})

test('a single body of any size is accepted', () => {
  const gauge = createBodyGauge({ bodyBytesMax: 100, bodyBytesEachMax: 40 })
  expect(gauge.take('a', 1_000)).toBeUndefined()
  expect(gauge.take('a', 1)).toMatchObject({ code: 'rate_limit_exceeded' })
  expect(gauge.take('b', 1)).toMatchObject({ code: 'overloaded' })
  gauge.give('a', 1_000)
  expect(gauge.take('b', 1)).toBeUndefined()
})

test('organizations that hold bytes leave the last bytes to organizations that hold none', () => {
  const gauge = createBodyGauge({ bodyBytesMax: 800, bodyBytesEachMax: 400 })
  for (const holder of ['a', 'b']) expect(gauge.take(holder, 362)).toBeUndefined()
  expect(gauge.take('a', 2)).toMatchObject({ code: 'overloaded' })
  expect(gauge.take('c', 75)).toBeUndefined()
  expect(gauge.take('d', 1)).toBeUndefined()
  expect(gauge.take('e', 1)).toMatchObject({ code: 'overloaded' })
})
