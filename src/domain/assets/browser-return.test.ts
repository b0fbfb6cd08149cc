import { expect, it } from 'vitest'
import { plainValue, readBrowserReturn } from './browser-return.ts'

it('reads the names of the vendor', () => {
  const query = {
    resultCode: '10000',
    verify_type: 'real_time',
    algorithmBaseRespCode: '0',
    reqMeasureInfoValue: '1',
    group_id: 'group-of-another',
    VerifyToken: 'theirs',
  }
  expect(readBrowserReturn(query)).toEqual({
    resultCode: '10000',
    verifyType: 'real_time',
    algorithmBaseRespCode: '0',
    reqMeasureInfoValue: '1',
  })
})

const NOTHING = {
  resultCode: undefined,
  verifyType: undefined,
  algorithmBaseRespCode: undefined,
  reqMeasureInfoValue: undefined,
}

it.each([undefined, null, 'resultCode=10000', 7, [], {}, Object.create({ resultCode: '10000' })])(
  'finds nothing in %j',
  (query) => {
    expect(readBrowserReturn(query)).toEqual(NOTHING)
  },
)

it('joins all strings of a repeated parameter', () => {
  const query = { resultCode: ['10000', '10000'], verify_type: ['real_time', 'pre_record', 7] }
  expect(readBrowserReturn(query)).toEqual({
    ...NOTHING,
    resultCode: '10000,10000',
    verifyType: 'real_time,pre_record',
  })
})

it.each([
  ['real_time', true],
  ['-1.5', true],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
  ['', false],
  ['a b', false],
  ['a,b', false],
  ['a\r\nset-cookie: x=1', false],
  ['1\n', false],
  ['<script>', false],
  ['１００００', false],
  ['\ud800', false],
])('%j is plain: %s', (value, isPlain) => {
  expect(plainValue(value)).toBe(isPlain ? value : undefined)
})
