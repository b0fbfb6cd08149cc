import { expect, it } from 'vitest'
import { redirectUrl } from './redirect.ts'

const NOTHING = {
  groupId: undefined,
  consentUrl: undefined,
  verifyType: undefined,
  algorithmBaseRespCode: undefined,
  reqMeasureInfoValue: undefined,
}
const ADDED =
  'resultCode=10000&group_id=g-1&verify_type=real_time&algorithmBaseRespCode=0&reqMeasureInfoValue=1&consent_url=https%3A%2F%2Fg.example%2Fc%2Fx'

function succeed(callbackUrl: string): string {
  return redirectUrl({
    callbackUrl,
    resultCode: '10000',
    groupId: 'g-1',
    consentUrl: 'https://g.example/c/x',
    verifyType: 'real_time',
    algorithmBaseRespCode: '0',
    reqMeasureInfoValue: '1',
  })
}

it.each([
  ['https://c.example', `https://c.example/?${ADDED}`],
  ['https://c.example/done', `https://c.example/done?${ADDED}`],
  ['https://c.example/done?', `https://c.example/done?${ADDED}`],
  ['https://c.example/done?a=1', `https://c.example/done?a=1&${ADDED}`],
  ['https://c.example/done?a=b%20c+d&e&f=%2F/%F0', `https://c.example/done?a=b%20c+d&e&f=%2F/%F0&${ADDED}`],
  ['https://c.example/done#top', `https://c.example/done?${ADDED}#top`],
  ['https://c.example:8443/#/app?a=1', `https://c.example:8443/?${ADDED}#/app?a=1`],
  [
    'https://c.example/a?next=https://d.example/?x=1#y',
    `https://c.example/a?next=https://d.example/?x=1&${ADDED}#y`,
  ],
  [
    'https://例.example/路?名=值#片',
    `https://xn--fsq.example/%E8%B7%AF?%E5%90%8D=%E5%80%BC&${ADDED}#%E7%89%87`,
  ],
  ['https://127.0.0.1/x', `https://127.0.0.1/x?${ADDED}`],
])('%s leads to %s', (callbackUrl, expected) => {
  expect(succeed(callbackUrl)).toBe(expected)
})

it('leaves unknown parameters out of a failure', () => {
  const url = redirectUrl({
    ...NOTHING,
    callbackUrl: 'https://c.example/x?a=1',
    resultCode: 'exchange_failed',
  })
  expect(url).toBe('https://c.example/x?a=1&resultCode=exchange_failed')
})

it.each(['exchange_failed', '1', '', '10000 '])('names no group with the result %j', (resultCode) => {
  const url = redirectUrl({
    ...NOTHING,
    callbackUrl: 'https://c.example/',
    resultCode,
    ...{ groupId: 'g-1', consentUrl: 'g-1' },
  })
  expect(url).not.toContain('g-1')
})

it.each(['a\r\nset-cookie: x=1', '&group_id=mine', '#', 'x'.repeat(65), '', '值'])(
  "leaves out a browser's %j",
  (value) => {
    const url = redirectUrl({
      callbackUrl: 'https://c.example/',
      resultCode: '1',
      groupId: undefined,
      consentUrl: undefined,
      verifyType: value,
      algorithmBaseRespCode: value,
      reqMeasureInfoValue: value,
    })
    expect(url).toBe('https://c.example/?resultCode=1')
  },
)
