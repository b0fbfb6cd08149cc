import { describe, expect, test } from 'vitest'
import { ApiError } from '../api-error.ts'
import { needsHours, parseUsageQuery, type RawUsageQuery } from './usage-query.ts'

const NOW_MS = Date.parse('2026-11-16T17:03:04.005Z')
const ms = (text: string) => Date.parse(text)

test.each<[RawUsageQuery, string[], string, string, boolean]>([
  [{}, ['day'], '2026-10-18', '2026-11-17', false],
  [{ by: '', from: '', to: '' }, ['day'], '2026-10-18', '2026-11-17', false],
  [{ by: 'hour' }, ['hour'], '2026-11-15T18:00Z', '2026-11-16T18:00Z', true],
  [{ by: 'model,org,day' }, ['day', 'org', 'model'], '2026-10-18', '2026-11-17', false],
  [
    { by: 'key,user', from: '2026-11-01', to: '2026-11-02' },
    ['user', 'key'],
    '2026-11-01',
    '2026-11-02',
    false,
  ],
  [{ from: '2026-11-01T05:00Z', to: '2026-11-02' }, ['day'], '2026-11-01T05:00Z', '2026-11-02', true],
  [{ from: '2026-11-01', to: '2026-11-01T05:00:00Z' }, ['day'], '2026-11-01', '2026-11-01T05:00Z', true],
  [{ from: '2024-02-29', to: '2024-03-01' }, ['day'], '2024-02-29', '2024-03-01', false],
])('%j is understood', (words, by, from, to, hours) => {
  const query = parseUsageQuery(words, NOW_MS)
  expect(query).toEqual({ by, fromMs: ms(from), toMs: ms(to) })
  expect(needsHours(query)).toBe(hours)
})

describe('is refused:', () => {
  test.each<[string, RawUsageQuery]>([
    ['by', { by: 'week' }],
    ['by', { by: 'Day' }],
    ['by', { by: 'day, model' }],
    ['by', { by: 'day,day' }],
    ['by', { by: 'day,hour' }],
    ['by', { by: ',' }],
    ['by', { by: 'day,' }],
    ['from', { from: '2026-02-30' }],
    ['from', { from: '2026-13-01' }],
    ['from', { from: '2026-11-1' }],
    ['from', { from: '20261101' }],
    ['from', { from: '2026-11-01T24:00Z' }],
    ['from', { from: '2026-11-01T05:30Z' }],
    ['from', { from: '2026-11-01T05:00' }],
    ['from', { from: '2026-11-01T05:00+01:00' }],
    ['from', { from: '1969-12-31' }],
    ['from', { from: '1700000000' }],
    ['from', { from: 'yesterday' }],
    ['from', { from: '2026-11-02', to: '2026-11-02' }],
    ['from', { from: '2026-11-03', to: '2026-11-02' }],
    ['from', { from: '2026-11-18' }],
    ['from', { from: '1999-01-01' }],
    ['from', { by: 'hour', from: '2026-08-01' }],
    ['from', { from: '2026-08-01T05:00Z' }],
    ['to', { to: 'now' }],
    ['to', { to: '2026-11-31' }],
  ])('%s of %j', (param, words) => {
    try {
      parseUsageQuery(words, NOW_MS)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({ code: 'invalid_parameter', param })
    }
  })
})
