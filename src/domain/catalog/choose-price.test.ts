import { describe, expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { micros } from '../billing/micros.ts'
import { choosePrice, type PricedUse } from './choose-price.ts'
import type { PriceRow } from './price-row.ts'

const row = (usd: number, part: Partial<PriceRow> = {}): PriceRow => ({
  unit: 'video_token',
  resolution: null,
  videoInput: null,
  audio: null,
  priceMicros: micros(usd),
  ...part,
})
const use = (part: Partial<PricedUse> = {}): PricedUse => ({
  unit: 'video_token',
  resolution: '720p',
  videoInput: false,
  audio: false,
  ...part,
})
const price = (rows: PriceRow[], part: Partial<PricedUse> = {}) => choosePrice(rows, use(part))?.priceMicros

test('no row of the unit: no price', () => {
  expect(price([])).toBeUndefined()
  expect(price([row(1, { unit: 'second' }), row(1, { unit: 'output_token' })])).toBeUndefined()
})

test.each<[string, Partial<PriceRow>]>([
  ['another resolution', { resolution: '1080p' }],
  ['video input', { videoInput: true }],
  ['audio', { audio: true }],
])('a row for %s does not apply', (_, part) => {
  expect(price([row(1, part)])).toBeUndefined()
  expect(price([row(1, part), row(2)])).toBe(2)
})

test.each<[string, Partial<PriceRow>, Partial<PriceRow>]>([
  ['one attribute before none', { audio: false }, {}],
  ['two before one', { videoInput: false, audio: false }, { resolution: '720p' }],
  [
    'three before two',
    { resolution: '720p', videoInput: false, audio: false },
    { resolution: '720p', videoInput: false },
  ],
  ['resolution before video input', { resolution: '720p' }, { videoInput: false }],
  ['resolution before audio', { resolution: '720p' }, { audio: false }],
  ['video input before audio', { videoInput: false }, { audio: false }],
  [
    'resolution and video input before resolution and audio',
    { resolution: '720p', videoInput: false },
    { resolution: '720p', audio: false },
  ],
  [
    'resolution and audio before video input and audio',
    { resolution: '720p', audio: false },
    { videoInput: false, audio: false },
  ],
])('%s, in any order', (_, winner, loser) => {
  expect(price([row(1, winner), row(2, loser)])).toBe(1)
  expect(price([row(2, loser), row(1, winner)])).toBe(1)
})

test('another spelling is the same resolution', () => {
  expect(price([row(1), row(2, { resolution: '1080P' })], { resolution: ' 1080p' })).toBe(2)
  expect(price([row(1), row(2, { resolution: '1080p' })], { resolution: '1080P ' })).toBe(2)
})

test('a row that names a resolution does not apply to a use without a picture', () => {
  expect(price([row(2, { resolution: '720p' }), row(1)], { resolution: null })).toBe(1)
})

describe('seconds', () => {
  const tiers = [
    row(11, { unit: 'second', resolution: '480p', videoInput: false }),
    row(14, { unit: 'second', resolution: '720p', videoInput: false }),
    row(35, { unit: 'second', resolution: '1080p', videoInput: false }),
    row(62, { unit: 'second', resolution: '1080p', videoInput: true }),
    row(25, { unit: 'second', resolution: '720p', videoInput: true }),
  ]
  const seconds = (part: Partial<PricedUse>) => price(tiers, { unit: 'second', ...part })

  test('of a known resolution cost what its row says', () => {
    expect(seconds({ resolution: '480p' })).toBe(11)
    expect(seconds({ resolution: '720P', videoInput: true })).toBe(25)
  })

  test('of an unknown one cost as much as the most expensive row that applies otherwise', () => {
    expect(seconds({ resolution: '4k' })).toBe(35)
    expect(seconds({ resolution: '4k', videoInput: true })).toBe(62)
  })

  test('the row for any resolution applies, even when the other rows cost more', () => {
    const rows = [row(10, { unit: 'second' }), row(35, { unit: 'second', resolution: '1080p' })]
    expect(price(rows, { unit: 'second', resolution: '720p' })).toBe(10)
    expect(price(rows, { unit: 'second', resolution: '4k' })).toBe(10)
    expect(price(rows, { unit: 'second', resolution: '1080p' })).toBe(35)
  })

  test('a row for any resolution with another condition does not apply', () => {
    const rows = [
      row(10, { unit: 'second', videoInput: true }),
      row(35, { unit: 'second', resolution: '1080p' }),
    ]
    expect(price(rows, { unit: 'second', resolution: '720p' })).toBe(35)
    expect(price(rows, { unit: 'second', resolution: '720p', videoInput: true })).toBe(10)
  })

  test('a resolution that only rows of another kind name has no price', () => {
    expect(seconds({ resolution: '480p', videoInput: true })).toBeUndefined()
  })
})

test('tokens of an unknown resolution get the row for any resolution', () => {
  expect(price([row(7), row(77, { resolution: '1080p' })], { resolution: '4k' })).toBe(7)
})

test('the chosen row suits, and no suiting row names more attributes', () => {
  const attribute = fc.constantFrom(null, true, false)
  const rows = fc.array(
    fc.record({
      unit: fc.constant('video_token' as const),
      resolution: fc.constantFrom(null, '480p', '720p'),
      videoInput: attribute,
      audio: attribute,
      priceMicros: fc.nat(1_000).map(micros),
    }),
    { maxLength: 12 },
  )
  const uses = fc.record({
    resolution: fc.constantFrom('480p', '720p', '4k'),
    videoInput: fc.boolean(),
    audio: fc.boolean(),
  })
  const named = ({ resolution, videoInput, audio }: PriceRow) =>
    [resolution, videoInput, audio].filter((value) => value !== null).length
  fc.assert(
    fc.property(rows, uses, (given, wanted) => {
      const suiting = given.filter(
        (candidate) =>
          [null, wanted.resolution].includes(candidate.resolution) &&
          [null, wanted.videoInput].includes(candidate.videoInput) &&
          [null, wanted.audio].includes(candidate.audio),
      )
      const chosen = choosePrice(given, { unit: 'video_token', ...wanted })
      if (chosen === undefined) {
        expect(suiting).toEqual([])
        return
      }
      expect(suiting).toContain(chosen)
      expect(named(chosen)).toBe(Math.max(...suiting.map(named)))
    }),
  )
})
