import { expect, test } from 'vitest'
import { micros } from '../billing/micros.ts'
import { builtInModels } from './built-in.ts'
import { catalogWarnings } from './catalog-warnings.ts'
import type { PriceRow } from './price-row.ts'

const row = (unit: PriceRow['unit'], part: Partial<PriceRow> = {}): PriceRow => ({
  unit,
  resolution: null,
  videoInput: null,
  audio: null,
  priceMicros: micros(1),
  ...part,
})
const warnings = (name: string, prices: PriceRow[]) =>
  catalogWarnings({ modelId: 1, name, endpoints: null, maxOutputTokens: null, createdAtMs: 1, prices })

test('the built-in models can be served', () => {
  expect(builtInModels(1).flatMap(catalogWarnings)).toEqual([])
})

test.each<[string, PriceRow[], string[]]>([
  [
    'acme/text',
    [],
    ['no price for input_token: clients get 503', 'no price for output_token: clients get 503'],
  ],
  ['acme/text', [row('input_token'), row('second')], ['no price for output_token: clients get 503']],
  ['acme/text', [row('input_token'), row('output_token')], []],
  ['vendorA/gen-2.0', [row('second')], ['no price for video_token: clients get 503']],
  ['vendorB/gen-v3', [row('video_token'), row('input_token')], ['no price for second: clients get 503']],
  ['vendorB/gen-v3', [row('second', { resolution: '1080p' })], []],
  [
    'vendorA/gen-2.0',
    [row('video_token', { videoInput: false })],
    ['no price fits 720p with video input: clients who ask for it get 503'],
  ],
  [
    'vendorA/gen-2.0',
    [row('video_token', { resolution: '1080p' }), row('video_token', { videoInput: true })],
    ['no price fits 720p without video input: clients who ask for it get 503'],
  ],
  ['vendorA/gen-9', [row('video_token')], ['no such video model is known: clients get 404']],
])('%s', (name, prices, reported) => {
  expect(warnings(name, prices)).toEqual(reported)
})
