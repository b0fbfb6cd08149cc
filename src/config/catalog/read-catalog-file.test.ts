import { describe, expect, test } from 'vitest'
import { readCatalog } from '../../../test/catalog/read-catalog.ts'
import type { PriceRow } from '../../domain/catalog/price-row.ts'

const row = (part: Partial<PriceRow> | Record<string, unknown>) => ({
  resolution: null,
  videoInput: null,
  audio: null,
  ...part,
})

test('a catalog in its usual form', () => {
  const { entries, faults } = readCatalog(`
models:
  - model_id: 1
    name: vendorA/gen-2.0
    prices:                                   # attributes left out mean "any"
      - { unit: video_token, video_input: false, usd_per_million: 7.0 }
      - { unit: video_token, video_input: false, resolution: 1080P, audio: "*", usd_per_million: 7.7 }
  - model_id: 3
    name: vendorB/gen-v4-std
    prices:
      - { unit: second, resolution: 480p, usd: .11 }
      - { unit: second, audio: true, usd: "0.350000" }
  - model_id: 7
    name: vendorC/model-4.1
    endpoints: [messages, responses, messages]
    max_output_tokens: 32768
    context_tokens: 1047576
    fallbacks: [vendorD/text-large, acme/kept]
    prices:
      - { unit: input_token, usd_per_million: 2 }
      - { unit: output_token, usd_per_million: 0.000001 }
  - { model_id: 8, name: acme/a:b, endpoints: [], fallbacks: [], prices: [] }
  - { model_id: 9, name: acme/kept }
`)
  expect(faults).toEqual([])
  expect(entries).toEqual([
    {
      modelId: 1,
      name: 'vendorA/gen-2.0',
      endpoints: null,
      maxOutputTokens: undefined,
      prices: [
        row({ unit: 'video_token', videoInput: false, priceMicros: 7_000_000 }),
        row({ unit: 'video_token', videoInput: false, resolution: '1080p', priceMicros: 7_700_000 }),
      ],
    },
    {
      modelId: 3,
      name: 'vendorB/gen-v4-std',
      endpoints: null,
      maxOutputTokens: undefined,
      prices: [
        row({ unit: 'second', resolution: '480p', priceMicros: 110_000 }),
        row({ unit: 'second', audio: true, priceMicros: 350_000 }),
      ],
    },
    {
      modelId: 7,
      name: 'vendorC/model-4.1',
      endpoints: ['messages', 'responses'],
      maxOutputTokens: 32_768,
      contextTokens: 1_047_576,
      fallbacks: ['vendorD/text-large', 'acme/kept'],
      prices: [
        row({ unit: 'input_token', priceMicros: 2_000_000 }),
        row({ unit: 'output_token', priceMicros: 1 }),
      ],
    },
    { modelId: 8, name: 'acme/a:b', endpoints: [], maxOutputTokens: undefined, fallbacks: [], prices: [] },
    { modelId: 9, name: 'acme/kept', endpoints: null, maxOutputTokens: undefined, prices: undefined },
  ])
})

const one = (part: string) => `models:\n  - { model_id: 1, name: a/b, ${part} }\n`
const priced = (part: string) => `models:\n  - model_id: 1\n    name: a/b\n    prices:\n      - { ${part} }\n`

describe('faults have the position and the correction', () => {
  test.each([
    [
      '',
      'catalog.yaml:1:1 models: no model is listed. List at least one under models: "- model_id: 1", with its name and prices below.',
    ],
    [
      'models: []',
      'catalog.yaml:1:9 models: no model is listed. List at least one under models: "- model_id: 1", with its name and prices below.',
    ],
    [
      'models: {}',
      'catalog.yaml:1:9 models: it is not a list. Write each item on a line of its own that begins with "- ", or all of them in [ ].',
    ],
    [
      '- a',
      'catalog.yaml:1:1: it is not a mapping. Write it as "name: value" lines, indented by two spaces.',
    ],
    [
      'models: [',
      'catalog.yaml:1:10: not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]. Correct the file at this place.',
    ],
    [
      'models: [a]',
      'catalog.yaml:1:10 models.0: it is not a mapping. Write it as "name: value" lines, indented by two spaces.',
    ],
    [
      `${one('prices: []')}modles: []`,
      'catalog.yaml:3:9 modles: it is not a known key. Did you mean models? The keys here are models.',
    ],
    [
      one('price: []'),
      'catalog.yaml:2:38 models.0.price: it is not a known key. Did you mean prices? The keys here are model_id, name, like, endpoints, max_output_tokens, context_tokens, long_context_tokens, fallbacks, fallback_price, route, route_by, stand_ins, prices, prices_from, vendor_prices, prices_taken, ends, bounds, watermark, published.',
    ],
    [
      'models: [{ name: a/b }]',
      'catalog.yaml:1:10 models.0.model_id: it is missing. Use a whole number from 1 to 2147483647.',
    ],
    [
      'models: [{ model_id: 1 }]',
      'catalog.yaml:1:10 models.0.name: it is missing. Use a name of the form provider/model, such as vendorC/model-4.1.',
    ],
    [
      'models: [{ model_id: 0, name: a/b }]',
      'catalog.yaml:1:22 models.0.model_id: "0" is below 1. Use a whole number from 1 to 2147483647.',
    ],
    [
      'models: [{ model_id: 1.5, name: a/b }]',
      'catalog.yaml:1:22 models.0.model_id: "1.5" is not a whole number in plain digits. Use a whole number from 1 to 2147483647.',
    ],
    [
      'models: [{ model_id: 2147483648, name: a/b }]',
      'catalog.yaml:1:22 models.0.model_id: "2147483648" is above 2147483647. Use a whole number from 1 to 2147483647.',
    ],
    [
      'models: [{ model_id: 1, name: gen-2.0 }]',
      'catalog.yaml:1:31 models.0.name: "gen-2.0" has no slash. Use a name of the form provider/model, such as vendorC/model-4.1.',
    ],
    [
      'models: [{ model_id: 1, name: a/ }]',
      'catalog.yaml:1:31 models.0.name: "a/" is not a name of a model. Use a name of the form provider/model, such as vendorC/model-4.1.',
    ],
    [
      one('max_output_tokens: 0'),
      'catalog.yaml:2:50 models.0.max_output_tokens: "0" is below 1. Use a whole number from 1 to 1000000000.',
    ],
    [
      one('endpoints: messages'),
      'catalog.yaml:2:42 models.0.endpoints: it is not a list. Write each item on a line of its own that begins with "- ", or all of them in [ ].',
    ],
    [
      one('endpoints: [mesages]'),
      'catalog.yaml:2:43 models.0.endpoints.0: "mesages" is not one of the known words. Did you mean messages? Use one of messages, responses, chat, embeddings.',
    ],
    [
      one('prices:'),
      'catalog.yaml:2:39 models.0.prices: it is empty. List the prices; or write [] to take them all away, or leave the line out to keep them.',
    ],
    [
      priced('unit: token, usd: 1'),
      'catalog.yaml:5:17 models.0.prices.0.unit: "token" is not one of the known words. Use one of video_token, second, input_token, cached_input_token, cache_write_token, long_cache_write_token, output_token, web_search_call, file_search_call, image_generation_call, code_session, priority_tier, fast_speed, flex_tier, regional_inference, long_context_input, long_context_output.',
    ],
    [
      priced('usd: 1'),
      'catalog.yaml:5:9 models.0.prices.0.unit: it is missing. Use one of video_token, second, input_token, cached_input_token, cache_write_token, long_cache_write_token, output_token, web_search_call, file_search_call, image_generation_call, code_session, priority_tier, fast_speed, flex_tier, regional_inference, long_context_input, long_context_output.',
    ],
    [
      priced('unit: second'),
      'catalog.yaml:5:9 models.0.prices.0.usd: it is missing. Use US dollars from 0 to 1000000 with at most 6 decimals, such as 7 or 0.14.',
    ],
    [
      priced('unit: second, usd_per_million: 1'),
      'catalog.yaml:5:42 models.0.prices.0.usd_per_million: seconds are priced one by one. Write usd instead.',
    ],
    [
      priced('unit: output_token, usd: 1'),
      'catalog.yaml:5:36 models.0.prices.0.usd: tokens are priced by the million. Write usd_per_million instead, with the price of a million tokens.',
    ],
    [
      priced('unit: second, usd: 1, usd_per_million: 1'),
      'catalog.yaml:5:50 models.0.prices.0.usd_per_million: seconds are priced one by one. Write usd instead.',
    ],
    [
      priced('unit: second, usd: -1'),
      'catalog.yaml:5:30 models.0.prices.0.usd: "-1" is below 0. Use US dollars from 0 to 1000000 with at most 6 decimals, such as 7 or 0.14.',
    ],
    [
      priced('unit: second, usd: 0.1234567'),
      'catalog.yaml:5:30 models.0.prices.0.usd: "0.1234567" has more than 6 decimals. Use US dollars from 0 to 1000000 with at most 6 decimals, such as 7 or 0.14.',
    ],
    [
      priced('unit: second, usd: 1e3'),
      'catalog.yaml:5:30 models.0.prices.0.usd: "1e3" is not a plain decimal. Use US dollars from 0 to 1000000 with at most 6 decimals, such as 7 or 0.14.',
    ],
    [
      priced('unit: second, usd: 1000000.1'),
      'catalog.yaml:5:30 models.0.prices.0.usd: "1000000.1" is above 1000000. Use US dollars from 0 to 1000000 with at most 6 decimals, such as 7 or 0.14.',
    ],
    [
      priced('unit: second, usd: 1, video_imput: true'),
      'catalog.yaml:5:46 models.0.prices.0.video_imput: it is not a known key. Did you mean video_input? The keys here are unit, resolution, video_input, audio, usd, usd_per_million, times.',
    ],
    [
      priced('unit: second, usd: 1, audio: yes'),
      'catalog.yaml:5:40 models.0.prices.0.audio: "yes" is not one of the known words. Use one of true, false, *.',
    ],
    [
      priced('unit: second, usd: 1, resolution: 720'),
      'catalog.yaml:5:45 models.0.prices.0.resolution: "720" is only a number. Write 720p if that is meant.',
    ],
    [
      priced(`unit: second, usd: $\{PRICE}`),
      'catalog.yaml:5:30 models.0.prices.0.usd: variables are not filled in here. Write the value itself.',
    ],
    [
      'models: [{ model_id: 99999999999999999999, name: a/b }]',
      'catalog.yaml:1:22 models.0.model_id: "99999999999999999999" is above 2147483647. Use a whole number from 1 to 2147483647.',
    ],
    [
      'models: [{ model_id: 1, name: vendorA/gen-2.0, endpoints: [messages] }]',
      'catalog.yaml:1:59 models.0.endpoints: it means nothing for vendorA/gen-2.0, which makes videos. Leave it out: only text models have endpoints.',
    ],
    [
      priced('unit: input_token, usd_per_million: 1, resolution: 1080p'),
      'catalog.yaml:5:62 models.0.prices.0.resolution: it means nothing for input_token. Leave it out: only videos have it.',
    ],
  ])('%j', (source, message) => {
    expect(readCatalog(source).faults).toEqual([message])
  })
})

test.each([
  [
    'models: [{ model_id: 1, name: a/b }, { model_id: 1, name: a/c }]',
    'catalog.yaml:1:50 models.1.model_id: it repeats catalog.yaml:1:22 models.0.model_id: 1. Take one of the two out, or correct it.',
  ],
  [
    'models: [{ model_id: 1, name: a/b }, { model_id: 2, name: a/b }]',
    'catalog.yaml:1:59 models.1.name: it repeats catalog.yaml:1:31 models.0.name: a/b. Take one of the two out, or correct it.',
  ],
  [
    `${priced('unit: second, resolution: 720P, usd: 1')}      - { unit: second, resolution: 720p, usd: 2 }`,
    'catalog.yaml:6:9 models.0.prices.1: it repeats catalog.yaml:5:9 models.0.prices.0: second, resolution=720p. Take one of the two out, or correct it.',
  ],
  [
    'models: [{ model_id: 1, name: a/b, fallbacks: [a/c, a/d, a/c] }]',
    'catalog.yaml:1:58 models.0.fallbacks.2: it repeats catalog.yaml:1:48 models.0.fallbacks.0: a/c. Take one of the two out, or correct it.',
  ],
])('a repeated item is reported: %s', (source, message) => {
  expect(readCatalog(source).faults).toEqual([message])
})

test('several faults are reported together', () => {
  const { faults } = readCatalog(`
models:
  - { model_id: x, name: y, prices: [{ unit: second, usd: -1 }, { unit: second, usd: 1, audoi: true }] }
  - { model_id: 2, name: a/b, nmae: a/c }
`)
  expect(faults.map((fault) => fault.split(': ')[0]?.split(' ')[1])).toEqual([
    'models.0.model_id',
    'models.0.name',
    'models.0.prices.0.usd',
    'models.0.prices.1.audoi',
    'models.1.nmae',
  ])
})
