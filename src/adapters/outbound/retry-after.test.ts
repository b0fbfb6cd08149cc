import { expect, it } from 'vitest'
import { readRetryAfterMs, toRetryAfterSeconds } from './retry-after.ts'

const DATE = 'Wed, 02 Jan 2030 00:00:00 GMT'

it.each([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': ' 0.5 ' }, 500],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '999999999' }, 3_600_000],
  [{ 'retry-after': 'Wed, 02 Jan 2030 00:00:30 GMT', date: DATE }, 30_000],
  [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:30 GMT', date: DATE }, 0],
  [{ 'retry-after': 'Wed, 02 Jan 2030 00:00:30 GMT' }, undefined],
  [{ 'retry-after': 'soon', date: DATE }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after': '-1', date: DATE }, undefined],
  [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
  [{ 'retry-after-ms': 'soon', 'retry-after': '1' }, 1_000],
  [{ 'retry-after-ms': '1200.5' }, 1_201],
  [{}, undefined],
])('%j asks for %j ms', (headers, waitMs) => {
  expect(readRetryAfterMs(headers)).toBe(waitMs)
})

it.each([
  [undefined, undefined],
  [0, 1],
  [1_000, 1],
  [1_001, 2],
])('%j ms are %j s for a client', (waitMs, seconds) => {
  expect(toRetryAfterSeconds(waitMs)).toBe(seconds)
})
