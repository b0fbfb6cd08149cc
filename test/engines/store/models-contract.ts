import { describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import { builtInModels } from '../../../src/domain/catalog/built-in.ts'
import type { PricedModel } from '../../../src/domain/catalog/model.ts'
import { orderPrices } from '../../../src/domain/catalog/order-prices.ts'
import type { PriceRow } from '../../../src/domain/catalog/price-row.ts'
import type { NewAudit } from '../../../src/ports/audit.ts'
import type { ModelChange } from '../../../src/ports/models.ts'
import type { GetOpened } from './opened-store.ts'
import { MORNING_MS } from './sample-rows.ts'

const price = (unit: PriceRow['unit'], usd: number, part: Partial<PriceRow> = {}): PriceRow => ({
  unit,
  resolution: null,
  videoInput: null,
  audio: null,
  priceMicros: micros(usd),
  ...part,
})

const TEN: PricedModel = {
  modelId: 10,
  name: 'vendorC/ten',
  endpoints: ['messages', 'responses'],
  maxOutputTokens: 32_768,
  contextTokens: 1_047_576,
  fallbacks: ['vendorD/one', 'vendorC/other'],
  ...{ route: [{ model: 'vendorD/one', weight: 2 }], routeBy: 'latency', pricesTaken: '2026-11-18' },
  vendorPrices: [price('input_token', 1_500_000), price('second', 7, { resolution: '720p', audio: true })],
  ...{ ends: '2027-01-31', createdAtMs: MORNING_MS },
  nextPrices: { fromMs: MORNING_MS, prices: [price('input_token', 5)] },
  prices: [price('input_token', 2_000_000), price('output_token', 8_000_001)],
}
const TWO: PricedModel = {
  modelId: 2,
  name: 'vendorA/two',
  ...{ endpoints: null, maxOutputTokens: null, watermark: 'client', createdAtMs: MORNING_MS },
  bounds: { duration: [4, 15], resolution: ['720p'], modes: { 'image-to-video': { duration: [5, 10] } } },
  prices: [
    price('video_token', 1),
    price('video_token', 7_700_000, { resolution: '1080p', videoInput: false }),
    price('video_token', 4_700_000, { resolution: '1080p', videoInput: true, audio: true }),
  ],
}
const THREE: PricedModel = {
  modelId: 3,
  name: 'vendorB/three',
  endpoints: [],
  maxOutputTokens: null,
  likeModel: 'vendorB/gen-v3',
  createdAtMs: MORNING_MS,
  prices: [],
}
const MODELS = [TEN, TWO, THREE]

const audit = (number = 1): NewAudit => ({
  id: `aud_${number}`,
  atMs: MORNING_MS,
  actor: 'cli',
  action: 'catalog.apply',
  organizationId: null,
  subject: 'catalog',
  detail: { 'vendorA/two': 'changed' },
})
const change = ({ prices, ...model }: PricedModel, part: Partial<ModelChange> = {}): ModelChange => ({
  model,
  prices,
  ...part,
})

export function describeModels(opened: GetOpened): void {
  const models = () => opened().store.models
  const auditIds = async () => (await opened().store.audit.list({ limit: 10 })).map(({ id }) => id)

  describe('models', () => {
    test('fill an empty store and are listed by number, with their prices', async () => {
      expect(await models().list()).toEqual([])
      expect(await models().fillWhenEmpty(MODELS)).toBe(true)
      expect(await models().list()).toStrictEqual([TWO, THREE, TEN])
    })

    test('of the built-in catalog are restored to the micro', async () => {
      const builtIn = builtInModels(MORNING_MS)
      await models().fillWhenEmpty(builtIn)
      expect(await models().list()).toStrictEqual(
        builtIn.map((model) => ({ ...model, prices: orderPrices(model.prices) })),
      )
    })

    test('are found by number', async () => {
      await models().fillWhenEmpty(MODELS)
      expect(await models().find(2)).toStrictEqual(TWO)
      expect(await models().find(3)).toStrictEqual(THREE)
      for (const modelId of [1, 2_147_483_648, Number.MAX_SAFE_INTEGER]) {
        expect(await models().find(modelId)).toBeUndefined()
      }
    })

    test('do not change a store that has a model', async () => {
      await opened().runSql("insert into models (model_id, name, created_at_ms) values (1, 'vendorX/own', 5)")
      expect(await models().fillWhenEmpty(MODELS)).toBe(false)
      expect((await models().list()).map(({ name }) => name)).toEqual(['vendorX/own'])
    })

    test('are not filled from an empty list', async () => {
      expect(await models().fillWhenEmpty([])).toBe(false)
    })

    test('are filled once when twenty programs start together', async () => {
      const filled = await Promise.all(Array.from({ length: 20 }, () => models().fillWhenEmpty(MODELS)))
      expect(filled.filter(Boolean)).toHaveLength(1)
      expect(await models().list()).toHaveLength(MODELS.length)
    })

    test('are filled whole or not at all', async () => {
      await expect(models().fillWhenEmpty([...MODELS, ...MODELS])).rejects.toThrow()
      expect(await models().list()).toEqual([])
    })

    test.each([
      ['not json', null],
      ['"messages"', null],
      ['["messages", "telepathy", 7]', ['messages']],
    ])('with endpoints spelled %s by hand are still listed', async (spelled, endpoints) => {
      await opened().runSql(
        `insert into models (model_id, name, endpoints, created_at_ms) values (1, 'vendorC/one', '${spelled}', 5)`,
      )
      expect(await models().list()).toMatchObject([{ name: 'vendorC/one', endpoints }])
    })

    test.each([
      ['not json', undefined],
      ['{"0":"vendorD/one"}', undefined],
      ['[]', undefined],
      ['[7, "vendorD/one", null]', ['vendorD/one']],
    ])('with fallbacks spelled %s by hand are still listed', async (spelled, fallbacks) => {
      await opened().runSql(
        `insert into models (model_id, name, fallbacks, created_at_ms) values (1, 'vendorC/one', '${spelled}', 5)`,
      )
      const [one] = await models().list()
      expect(one?.fallbacks).toEqual(fallbacks)
    })

    test.each([
      ['not json', undefined],
      ['[{"unit":"telepathy","priceMicros":1},{"unit":"second","priceMicros":-1},7]', undefined],
      ['[{"unit":"second","priceMicros":5,"audio":"x"}]', [price('second', 5)]],
    ])('with prices of the vendor spelled %s by hand are still listed', async (spelled, vendorPrices) => {
      await opened().runSql(
        `insert into models (model_id, name, vendor_prices, created_at_ms) values (1, 'vendorC/one', '${spelled}', 5)`,
      )
      const [one] = await models().list()
      expect(one?.vendorPrices).toEqual(vendorPrices)
    })

    test('take prices that an operator writes by hand', async () => {
      await models().fillWhenEmpty([THREE])
      await opened().runSql(
        "insert into model_prices (model_id, unit, resolution, price) values (3, 'second', '720p', 0.14)",
      )
      await opened().runSql("insert into model_prices (model_id, unit, price) values (3, 'second', 1.1)")
      expect((await models().find(3))?.prices).toEqual([
        price('second', 1_100_000),
        price('second', 140_000, { resolution: '720p' }),
      ])
    })

    test.each([
      ['a price below zero', "'second', '*', -0.01"],
      ['a price that is not a number', "'second', '*', 'NaN'"],
      ['a price that would be read as free', "'second', '*', 0.0000001"],
      ['a price that would be read as free, written short', "'second', '*', 1e-12"],
      ['a price with a seventh decimal', "'second', '*', 0.1400001"],
      ['a price beyond a million', "'second', '*', 1000000.01"],
      ['an unknown unit', "'fortnight', '*', 1"],
      ['a row that is there already', "'video_token', '*', 1"],
    ])('do not take %s', async (_, values) => {
      await models().fillWhenEmpty([TWO])
      await expect(
        opened().runSql(`insert into model_prices (model_id, unit, resolution, price) values (2, ${values})`),
      ).rejects.toThrow()
      expect((await models().find(2))?.prices).toEqual(TWO.prices)
    })
  })

  describe('rows that an operator writes by hand', () => {
    test.each(['0.000001', '0.14 * 1.1', '0.1 + 0.2', '999999.999999', '0', "'0.625'"])(
      'a price of %s is accepted',
      async (spelled) => {
        await models().fillWhenEmpty([THREE])
        await opened().runSql(
          `insert into model_prices (model_id, unit, price) values (3, 'second', ${spelled})`,
        )
        expect((await models().find(3))?.prices).toHaveLength(1)
      },
    )

    test.each([
      [
        'a number beyond the column',
        "insert into models (model_id, name, created_at_ms) values (2147483648, 'a/b', 1)",
      ],
      ['too long a reply', 'update models set max_output_tokens = 2147483648'],
      ['no reply at all', 'update models set max_output_tokens = 0'],
      ['too long a context', 'update models set context_tokens = 2147483648'],
      ['no context at all', 'update models set context_tokens = 0'],
      ['a time beyond exact integers', 'update models set created_at_ms = 9007199254740992'],
    ])('do not accept %s, which would hide every other model', async (_, text) => {
      await models().fillWhenEmpty([TWO])
      await expect(opened().runSql(text)).rejects.toThrow()
      expect(await models().list()).toStrictEqual([TWO])
    })
  })

  describe('a catalog file', () => {
    test('adds, changes and keeps models in one call', async () => {
      await models().fillWhenEmpty([TWO, THREE])
      const cheaper = [price('video_token', 5)]
      await models().apply(
        [
          change({ ...TWO, maxOutputTokens: 7, endpoints: ['messages'] }, { prices: cheaper }),
          change({ ...TEN, createdAtMs: MORNING_MS + 1 }),
        ],
        audit(),
      )
      expect(await models().list()).toStrictEqual([
        { ...TWO, maxOutputTokens: 7, endpoints: ['messages'], prices: cheaper },
        THREE,
        { ...TEN, createdAtMs: MORNING_MS + 1 },
      ])
      expect(await opened().store.audit.list({ limit: 10 })).toEqual([audit()])
    })

    test('keeps when a model was made, and prices that are not given', async () => {
      await models().fillWhenEmpty([TWO])
      const later = { ...TWO, createdAtMs: MORNING_MS + 5_000 }
      await models().apply([change(later, { prices: undefined })], audit())
      expect(await models().find(2)).toStrictEqual(TWO)
    })

    test('changes fallbacks, a route and planned prices, and removes them', async () => {
      const { fallbacks: _, route: __, nextPrices: ___, ...without } = TEN
      await models().fillWhenEmpty([without])
      await models().apply([change(TEN)], audit(1))
      expect(await models().find(10)).toStrictEqual(TEN)
      await models().apply([change({ ...TEN, fallbacks: [], route: [], nextPrices: undefined })], audit(2))
      expect(await models().find(10)).toStrictEqual(without)
    })

    test('removes prices with an empty list', async () => {
      await models().fillWhenEmpty([TWO])
      await models().apply([change({ ...TWO, prices: [] })], audit())
      expect(await models().find(2)).toStrictEqual({ ...TWO, prices: [] })
    })

    test.each([
      [
        'a new number for a name',
        { ...TWO, modelId: 4 },
        /vendorA\/two has the model_id 2.*Write model_id: 2/,
      ],
      ['the number of another model', { ...TEN, modelId: 3 }, /model_id 3 belongs to vendorB\/three/],
    ])('with %s changes nothing', async (_, wrong, message) => {
      await models().fillWhenEmpty([TWO, THREE])
      const applying = models().apply([change({ ...THREE, maxOutputTokens: 9 }), change(wrong)], audit())
      await expect(applying).rejects.toMatchObject({
        code: 'invalid_parameter',
        message: expect.stringMatching(message),
      })
      expect(await models().list()).toStrictEqual([TWO, THREE])
      expect(await auditIds()).toEqual([])
    })

    test('with one number for two new names changes nothing', async () => {
      const applying = models().apply([change(TEN), change({ ...TEN, name: 'vendorC/other' })], audit())
      await expect(applying).rejects.toMatchObject({ code: 'invalid_parameter' })
      expect(await models().list()).toEqual([])
    })

    test('is refused whole when one of its rows is refused', async () => {
      await models().fillWhenEmpty([TWO])
      const twice = [price('second', 1), price('second', 2)]
      const applying = models().apply([change(TEN), change({ ...TWO, prices: twice })], audit())
      await expect(applying).rejects.toThrow()
      expect(await models().list()).toStrictEqual([TWO])
      expect(await auditIds()).toEqual([])
    })

    test('may be applied twenty times at the same time', async () => {
      const applied = Array.from({ length: 20 }, (_, number) =>
        models().apply([change({ ...TEN, maxOutputTokens: number + 1 }), change(TWO)], audit(number)),
      )
      await Promise.all(applied)
      const [two, ten] = await models().list()
      expect(two).toStrictEqual(TWO)
      expect(ten).toStrictEqual({ ...TEN, maxOutputTokens: ten?.maxOutputTokens })
      expect(await opened().store.audit.list({ limit: 30 })).toHaveLength(20)
    })
  })
}
