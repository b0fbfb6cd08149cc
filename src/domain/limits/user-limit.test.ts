import { describe, expect, test } from 'vitest'
import type { User } from '../access/organization.ts'
import { decideUserSync, isSameEntry } from './user-limit.ts'

function user(maxDailyUserLimit: string | null, enableLimit: boolean): User {
  const row = { id: 'usr_1', organizationId: 'org_1', name: 'u', createdAtMs: 0, disabledAtMs: null }
  return { ...row, maxDailyUserLimit, enableLimit }
}

describe('the change of the cache for a row', () => {
  test('no row: forget', () => {
    expect(decideUserSync(undefined)).toEqual({ kind: 'forget' })
  })

  test.each([
    [null, '0'],
    ['0', '0'],
    ['-3.5', '-3.5'],
    ['5.25', '5.25'],
  ])('disabled with %s: only the entry changes', (max, cached) => {
    const entry = { maxDailyUserLimit: cached, enableLimit: false }
    expect(decideUserSync(user(max, false))).toEqual({ kind: 'entry-only', entry })
  })

  test.each([null, '0', '-1', '-0.000001', 'NaN', ''])('enabled with %s: refused', (max) => {
    expect(decideUserSync(user(max, true))).toEqual({ kind: 'refuse' })
  })

  test.each([
    ['0.000001', 1],
    ['5.25', 5_250_000],
    ['1000000000', 1_000_000_000_000_000],
  ])('enabled with %s: enforced', (max, limitMicros) => {
    const entry = { maxDailyUserLimit: max, enableLimit: true }
    expect(decideUserSync(user(max, true))).toEqual({ kind: 'enforce', entry, limitMicros })
  })
})

test('entries are equal if both values are', () => {
  const entry = { maxDailyUserLimit: '5', enableLimit: true }
  expect(isSameEntry(entry, { ...entry })).toBe(true)
  expect(isSameEntry(undefined, undefined)).toBe(true)
  expect(isSameEntry(entry, undefined)).toBe(false)
  expect(isSameEntry(entry, { ...entry, enableLimit: false })).toBe(false)
  expect(isSameEntry(entry, { ...entry, maxDailyUserLimit: '6' })).toBe(false)
})
