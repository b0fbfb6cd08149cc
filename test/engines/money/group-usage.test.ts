import { expect, test } from 'vitest'
import { groupLength, toUsageGroup } from '../../../src/app/billing/usage-buffer.ts'
import { sampleLease, sampleSpent } from './sample-spent.ts'

const [first, second] = [sampleLease('hold_1'), sampleLease('hold_2')]

test('a group ends before rows with a second allowance of the same organization', () => {
  const rows = [
    sampleSpent('use_1', { lease: first }),
    sampleSpent('use_2', { lease: second, row: { organizationId: 'org_2' } }),
    sampleSpent('use_3', { lease: first }),
    sampleSpent('use_4', { lease: second }),
    sampleSpent('use_5', { lease: first }),
  ]
  expect(groupLength(rows)).toBe(3)
  expect(toUsageGroup('grp_1', rows.slice(0, 3), 5)).toEqual({
    id: 'grp_1',
    rows: rows.slice(0, 3).map(({ row }) => row),
    allowances: { org_1: 'hold_1', org_2: 'hold_2' },
    atMs: 5,
  })
})

test('a group names the claims that its rows finish', () => {
  const claim = { id: 'claim_1', charged() {}, ended() {} }
  const rows = [sampleSpent('use_1', { lease: first }), sampleSpent('use_2', { lease: first, claim })]
  expect(toUsageGroup('grp_1', rows, 5).claims).toEqual({ use_2: 'claim_1' })
})

test('a group has at most 500 rows', () => {
  const rows = Array.from({ length: 501 }, (_, index) => sampleSpent(`use_${index}`, { lease: first }))
  expect(groupLength(rows)).toBe(500)
  expect(groupLength(rows.slice(0, 2))).toBe(2)
  expect(groupLength([])).toBe(0)
})
