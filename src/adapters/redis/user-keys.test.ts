import { expect, test } from 'vitest'
import { keysOfUser } from './day-buckets.ts'

test('the keys of a user have fixed names', () => {
  const names = keysOfUser('usr_1')
  expect(names.limit).toBe('sluice:{user:usr_1}:limit')
  expect(names.day('2026-05-04')).toBe('sluice:{user:usr_1}:day:2026-05-04')
  expect(names.built('2026-05-04')).toBe('sluice:{user:usr_1}:built:2026-05-04')
})

test('the pattern matches an id literally', () => {
  expect(keysOfUser('usr_1').pattern).toBe('sluice:{user:usr_1}:*')
  expect(keysOfUser('*?[a-z]^\\').pattern).toBe('sluice:{user:\\*\\?\\[a\\-z\\]\\^\\\\}:*')
})

test('lists only days that are dates, and only keys of this user', () => {
  const names = keysOfUser('usr_1')
  const days = ['sluice:{user:usr_1}:day:2026-05-04', 'sluice:{user:usr_1}:built:2026-05-04']
  const strange = [
    'sluice:{user:usr_1}:day:2026-02-30',
    'sluice:{user:usr_1}:note',
    'sluice:{user:usr_12}:day:2026-05-04',
  ]
  expect(names.daysOf([...days, ...strange])).toEqual(['2026-05-04'])
  expect(names.ownOf([...days, ...strange, names.limit])).toEqual([
    ...days,
    'sluice:{user:usr_1}:day:2026-02-30',
    names.limit,
  ])
})
