import { describe, expect, it } from 'vitest'
import { fc, runs } from '../../../test/random/properties.ts'
import type { BrowserReturn } from './browser-return.ts'
import { claimsSuccess, decideResult, type ExchangeOutcome } from './decide-result.ts'

const GROUP = { kind: 'group', groupTicket: 'group-1' } as const
const GOOD: BrowserReturn = {
  resultCode: '10000',
  verifyType: 'real_time',
  algorithmBaseRespCode: '0',
  reqMeasureInfoValue: '1',
}

it.each(['real_time', 'REAL_TIME', 'real-time', 'realTime', undefined])(
  'a group is granted with verify_type %j',
  (verifyType) => {
    expect(decideResult({ browser: { ...GOOD, verifyType }, exchange: GROUP })).toEqual({
      kind: 'granted',
      groupTicket: 'group-1',
      resultCode: '10000',
    })
  },
)

it.each<ExchangeOutcome>([undefined, { kind: 'no-group' }, { kind: 'unanswered' }])(
  'a success that the exchange does not confirm is denied: %j',
  (exchange) => {
    expect(decideResult({ browser: GOOD, exchange })).toEqual({
      kind: 'denied',
      resultCode: 'exchange_failed',
    })
  },
)

const NOT_LIVE = [
  '',
  'something_new',
  'not_real_time',
  'real_time_pre_record',
  'pre_record',
  'PRE_RECORD',
  'pre-record',
  ' pre_record ',
  'preRecord',
  'real_time,pre_record',
]

it.each(NOT_LIVE)('verify_type %j gets no group, even if the exchange names a group', (verifyType) => {
  const browser = { ...GOOD, verifyType }
  expect(claimsSuccess(browser)).toBe(false)
  expect(decideResult({ browser, exchange: GROUP })).toEqual({
    kind: 'denied',
    resultCode: 'exchange_failed',
  })
})

describe('a failure', () => {
  it.each(['1', '-1', '0', '50000', '100000', '1000', 'cancelled', 'E-12.3'])(
    'the code %s is passed on unchanged',
    (resultCode) => {
      const browser = { ...GOOD, resultCode }
      expect(claimsSuccess(browser)).toBe(false)
      expect(decideResult({ browser, exchange: GROUP })).toEqual({ kind: 'denied', resultCode })
    },
  )

  it.each([
    undefined,
    '',
    ' 10000',
    '10000 ',
    '+10000',
    '010000',
    '10000.0',
    '10000abc',
    '1e4',
    '0x2710',
    '10000,10000',
    '１００００',
    '10000\r\nset-cookie: a=b',
    '<script>alert(1)</script>',
    'x'.repeat(65),
  ])('%j is reported as unknown', (resultCode) => {
    const browser = { ...GOOD, resultCode }
    expect(claimsSuccess(browser)).toBe(false)
    expect(decideResult({ browser, exchange: GROUP })).toEqual({ kind: 'denied', resultCode: 'unknown' })
  })
})

it('grants only a group that the exchange names, and only where the browser reports no failure', () => {
  const value = fc.option(
    fc.oneof(fc.constantFrom('10000', 'real_time', 'pre_record', '0'), fc.string({ unit: 'binary' })),
    { nil: undefined },
  )
  const browser = fc.record({
    resultCode: value,
    verifyType: value,
    algorithmBaseRespCode: value,
    reqMeasureInfoValue: value,
  })
  const exchange = fc.constantFrom<ExchangeOutcome>(
    GROUP,
    { kind: 'no-group' },
    { kind: 'unanswered' },
    undefined,
  )
  fc.assert(
    fc.property(browser, exchange, (browser, exchange) => {
      const result = decideResult({ browser, exchange })
      if (result.kind === 'granted') {
        expect(result.groupTicket).toBe('group-1')
        expect(exchange).toBe(GROUP)
        expect(browser.resultCode).toBe('10000')
        expect([undefined, 'real_time']).toContain(browser.verifyType)
      } else {
        expect(result.resultCode).toMatch(/^[\w.-]{1,64}$/)
        expect(Number.parseInt(result.resultCode, 10)).not.toBe(10_000)
      }
    }),
    runs(500),
  )
})
