import { validateHeaderValue } from 'node:http'
import { expect, it } from 'vitest'
import { fc, runs } from '../../../../test/random/properties.ts'
import { redirectUrl } from '../../../domain/assets/redirect.ts'
import { parseCreateSession } from './operation.ts'

const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\r\nlocation: https://evil.example',
    '@evil.example',
    '//evil.example',
    '?a=1',
    '&group_id=x',
    '#x',
  ),
)
const tail = fc.oneof(anything, fc.webQueryParameters(), fc.webFragments())
const callbackUrl = fc
  .tuple(fc.webUrl({ validSchemes: ['https'], withQueryParameters: true, withFragments: true }), tail)
  .map(([url, more]) => url + more)
const maybe = fc.option(anything, { nil: undefined })

it('always keeps the stored address, its path, its parameters and its fragment, in one header', () => {
  let count = 0
  fc.assert(
    fc.property(
      callbackUrl,
      fc.record({
        resultCode: anything,
        groupId: maybe,
        consentUrl: maybe,
        verifyType: maybe,
        algorithmBaseRespCode: maybe,
        reqMeasureInfoValue: maybe,
      }),
      (given, values) => {
        const stored = accepted(given)
        fc.pre(stored !== undefined)
        const before = new URL(stored)
        const text = redirectUrl({ callbackUrl: stored, ...values })
        const after = new URL(text)
        expect(after.origin).toBe(before.origin)
        expect(after.username + after.password).toBe('')
        expect(after.pathname).toBe(before.pathname)
        expect(after.hash).toBe(before.hash)
        expect(after.search.startsWith(before.search)).toBe(true)
        const parameters = [...after.searchParams]
        const own = [...before.searchParams]
        expect(parameters.slice(0, own.length)).toEqual(own)
        const names = parameters.slice(own.length).map(([name]) => name)
        expect(new Set(names).size).toBe(names.length)
        expect(names.filter((name) => !CONTRACT.has(name))).toEqual([])
        expect(names[0]).toBe('resultCode')
        expect(text).toMatch(/^[\x21-\x7e]+$/)
        expect(() => validateHeaderValue('location', text)).not.toThrow()
        count += 1
      },
    ),
    runs(1_000),
  )
  expect(count).toBeGreaterThanOrEqual(runs(1_000).numRuns)
})

const CONTRACT = new Set([
  'resultCode',
  'group_id',
  'verify_type',
  'algorithmBaseRespCode',
  'reqMeasureInfoValue',
  'consent_url',
])

/** Address that a session would store, if valid. */
function accepted(url: string): string | undefined {
  try {
    return parseCreateSession({ callback_url: url }).callbackUrl
  } catch {
    return undefined
  }
}
