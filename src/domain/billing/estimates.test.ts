import { describe, expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { builtInModels } from '../catalog/built-in.ts'
import { chooseVideoPrice, estimateVideoCost, type VideoUse } from './estimate-video-cost.ts'
import { estimateVideoSeconds, estimateVideoTokens } from './estimate-video-tokens.ts'

const LEFT_OUT = { resolution: undefined, ratio: undefined, seconds: undefined, referenceSeconds: [] }

describe('family A tokens', () => {
  test.each([
    [undefined, undefined, 1280 * 720],
    ['480p', '16:9', 864 * 496],
    ['480p', '9:16', 864 * 496],
    ['480p', '1:1', 640 * 640],
    ['720p', '16:9', 1280 * 720],
    ['720p', '9:16', 1280 * 720],
    ['720p', '1:1', 960 * 960],
    ['1080p', '16:9', 1920 * 1080],
    ['1080p', '9:16', 1920 * 1080],
    [' 1080P', '1:1', 1440 * 1440],
    ['4k', '16:9', 3840 * 2160],
    ['4k', '1:1', 2880 * 2880],
    ['2k', '16:9', 1920 * 1080],
    ['constructor', '1:1', 1440 * 1440],
  ])('%s %s', (resolution, ratio, pixels) => {
    expect(estimateVideoTokens({ ...LEFT_OUT, resolution, ratio })).toBe((pixels * 121) / 1024)
  })

  test('720p, 16:9 and 5 s are 108,900', () => {
    expect(estimateVideoTokens(LEFT_OUT)).toBe(108_900)
  })

  test('a reference adds its seconds, one of unknown length 15', () => {
    const tokens = (referenceSeconds: (number | null)[]) =>
      estimateVideoTokens({ ...LEFT_OUT, seconds: 4, referenceSeconds })
    expect(tokens([6])).toBe(900 * (24 * 10 + 1))
    expect(tokens([null])).toBe(900 * (24 * 19 + 1))
    expect(tokens([6, null])).toBe(900 * (24 * 25 + 1))
    expect(tokens([0])).toBe(900 * (24 * 4 + 1))
  })
})

test('family B: the requested seconds, or 5', () => {
  expect(estimateVideoSeconds({ seconds: 8 })).toBe(8)
  expect(estimateVideoSeconds({ seconds: undefined })).toBe(5)
})

const pricesOf = (name: string) =>
  builtInModels(0).find((model) => model.name === name)?.prices ?? expect.fail(`no ${name}`)

describe('the cost to hold', () => {
  const cost = (name: string, part: Partial<VideoUse>) =>
    estimateVideoCost(pricesOf(name), { unit: 'video_token', audio: false, ...LEFT_OUT, ...part })

  test.each<[string, Partial<VideoUse>, number]>([
    ['vendorA/gen-2.0', {}, 762_300],
    ['vendorA/gen-2.0', { resolution: '480p' }, 354_470],
    ['vendorA/gen-2.0', { resolution: '1080p', seconds: 10 }, 3_757_793],
    ['vendorA/gen-2.0', { resolution: '4k' }, 6_860_700],
    ['vendorA/gen-2.0', { referenceSeconds: [null] }, 1_861_470],
    ['vendorB/gen-v4-std', { unit: 'second' }, 700_000],
    ['vendorB/gen-v4-std', { unit: 'second', resolution: '8k', seconds: 4 }, 1_400_000],
    ['vendorB/gen-v4-std', { unit: 'second', referenceSeconds: [null] }, 1_250_000],
    ['vendorB/gen-v3', { unit: 'second', seconds: 7 }, 280_000],
  ])('%s %j', (name, part, expected) => {
    expect(cost(name, part)).toBe(expected)
  })

  test('is unknown without a price for the unit', () => {
    expect(cost('vendorB/gen-v3', {})).toBeUndefined()
    expect(estimateVideoCost([], { unit: 'second', audio: false, ...LEFT_OUT })).toBeUndefined()
  })

  test('is the product of tokens and price, rounded once', () => {
    const whole = fc.integer({ min: 4, max: 3_600 })
    const resolution = fc.constantFrom('480p', '720p', '1080p', undefined)
    const ratio = fc.constantFrom('16:9', '9:16', '1:1', undefined)
    fc.assert(
      fc.property(
        whole,
        resolution,
        ratio,
        fc.array(whole, { maxLength: 2 }),
        (seconds, size, shape, references) => {
          const use = {
            unit: 'video_token',
            resolution: size,
            ratio: shape,
            seconds,
            referenceSeconds: references,
            audio: false,
          } as const
          const price =
            chooseVideoPrice(pricesOf('vendorA/gen-2.0'), use)?.priceMicros ?? expect.fail('no price')
          const frames = BigInt(24 * references.reduce((sum, reference) => sum + reference, seconds) + 1)
          const numerator =
            PIXELS[`${size ?? '720p'} ${shape === '1:1' ? 'square' : 'wide'}`] ?? expect.fail('no size')
          const product = numerator * frames * BigInt(price)
          const denominator = 1_024n * 1_000_000n
          const expected = (2n * product + denominator) / (2n * denominator)
          expect(BigInt(estimateVideoCost(pricesOf('vendorA/gen-2.0'), use) ?? -1)).toBe(expected)
        },
      ),
    )
  })
})

const PIXELS: Record<string, bigint> = {
  '480p wide': 864n * 496n,
  '480p square': 640n * 640n,
  '720p wide': 1280n * 720n,
  '720p square': 960n * 960n,
  '1080p wide': 1920n * 1080n,
  '1080p square': 1440n * 1440n,
}
