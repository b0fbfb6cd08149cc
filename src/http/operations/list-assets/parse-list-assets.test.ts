import { describe, expect, test } from 'vitest'
import { apiErrorOf } from '../../../../test/api-error-of.ts'
import { fc } from '../../../../test/random/properties.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { parseListAssets } from './parse-list-assets.ts'

const refused = (query: object) => apiErrorOf(() => parseListAssets(query))
const USUAL = {
  groupId: undefined,
  statuses: undefined,
  name: undefined,
  page: 1,
  limit: 10,
  sortBy: 'create_time',
  sortOrder: 'desc',
}

test('an empty query means the first page of the default group, newest first', () => {
  for (const query of [{}, undefined, { unknown: 'x' }]) expect(parseListAssets(query)).toEqual(USUAL)
})

test('parameters without a value count as not given', () => {
  const query = { group_id: '', status: '', name: '', sort_by: '', sort_order: '' }
  expect(parseListAssets(query)).toEqual(USUAL)
})

test('a query with every parameter', () => {
  const query = {
    group_id: 'g-1',
    status: 'active,failed',
    name: 'fa%ce_',
    page: '3',
    limit: '25',
    sort_by: 'update_time',
    sort_order: 'asc',
  }
  expect(parseListAssets(query)).toEqual({
    groupId: 'g-1',
    statuses: ['active', 'failed'],
    name: 'fa%ce_',
    page: 3,
    limit: 25,
    sortBy: 'update_time',
    sortOrder: 'asc',
  })
})

describe('status', () => {
  test.each([
    ['active', ['active']],
    ['processing', ['processing']],
    ['failed,active,processing', ['failed', 'active', 'processing']],
    ['active, failed ', ['active', 'failed']],
    ['active,active', ['active']],
  ])('%j is taken', (status, statuses) => {
    expect(parseListAssets({ status }).statuses).toEqual(statuses)
  })

  test.each([
    'Active',
    'done',
    'active,',
    ',',
    ' ',
    'active;failed',
    'active,done',
    ['active', 'failed'],
    'active\0',
  ])('400 for %j', (status) => {
    expect(refused({ status })).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      param: 'status',
      message: 'status must be active, processing, or failed',
    })
  })
})

test.each([
  ['1', 1],
  ['007', 7],
  ['1000000000', 1_000_000_000],
])('page %s is %i', (page, expected) => {
  expect(parseListAssets({ page }).page).toBe(expected)
})

const NO_NUMBERS = [
  '-1',
  '1.5',
  '1e1',
  '0x1',
  ' 1',
  '1 ',
  '+1',
  '',
  'abc',
  '١',
  '1\0',
  ['1', '2'],
  'Infinity',
]

test.each([...NO_NUMBERS, '0', '1000000001', '9'.repeat(400)])('400 for page %j', (page) => {
  expect(refused({ page })).toMatchObject({ status: 400, code: 'invalid_parameter', param: 'page' })
})

test.each([
  ['1', 1],
  ['100', 100],
  ['101', 100],
  ['9'.repeat(400), 100],
  ['0', 10],
])('limit %s is %i', (limit, expected) => {
  expect(parseListAssets({ limit }).limit).toBe(expected)
})

test.each(NO_NUMBERS)('400 for limit %j', (limit) => {
  expect(refused({ limit })).toMatchObject({ status: 400, code: 'invalid_parameter', param: 'limit' })
})

test.each(['create_time', 'update_time', 'group_id'])('sort_by %s is taken', (sortBy) => {
  expect(parseListAssets({ sort_by: sortBy })).toEqual({ ...USUAL, sortBy })
})

test.each([
  ['sort_by', 'name', 'sort_by must be create_time, update_time, or group_id.'],
  ['sort_by', 'CREATE_TIME', 'sort_by must be create_time, update_time, or group_id.'],
  ['sort_by', ['create_time', 'group_id'], 'sort_by must be create_time, update_time, or group_id.'],
  ['sort_order', 'up', 'sort_order must be asc or desc.'],
  ['sort_order', 'DESC', 'sort_order must be asc or desc.'],
])('400 for %s %j', (param, value, message) => {
  expect(refused({ [param]: value })).toMatchObject({
    status: 400,
    code: 'invalid_parameter',
    param,
    message,
  })
})

test.each(['a\0b', ['g-1', 'g-2']])('400 for a group or a name of %j', (value) => {
  const group = { status: 400, code: 'group_id_error', param: 'group_id', message: 'group id error' }
  expect(refused({ group_id: value })).toMatchObject(group)
  expect(refused({ name: value })).toMatchObject({ status: 400, code: 'invalid_parameter', param: 'name' })
})

test.each(['status', 'name', 'page', 'limit', 'sort_by', 'sort_order'])('400 for %s[] and %s[0]', (param) => {
  for (const key of [`${param}[]`, `${param}[0]`]) {
    expect(refused({ [key]: '1' })).toMatchObject({ status: 400, code: 'invalid_parameter', param })
    expect(refused({ [key]: ['active', 'asc'] })).toMatchObject({ status: 400, param })
  }
})

test('400 for group_id[]', () => {
  expect(refused({ 'group_id[]': 'g-1' })).toMatchObject({ status: 400, code: 'group_id_error' })
})

test('any query parses or is refused with 400', () => {
  const value = fc.oneof(
    fc.string(),
    fc.array(fc.string()),
    fc.constantFrom('active', '1', 'asc', 'group_id'),
  )
  const names = ['group_id', 'status', 'name', 'page', 'limit', 'sort_by', 'sort_order', '__proto__']
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value), (query) => {
      try {
        const { page, limit } = parseListAssets(query)
        expect(page * limit).toBeLessThan(Number.MAX_SAFE_INTEGER)
        expect(limit).toBeLessThanOrEqual(100)
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
        expect(error).toMatchObject({ status: 400 })
      }
    }),
  )
})
