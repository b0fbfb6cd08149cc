import { expect, test } from 'vitest'
import type { ModelAlias } from '../../domain/catalog/alias.ts'
import { builtInModels } from '../../domain/catalog/built-in.ts'
import type { PricedModel } from '../../domain/catalog/model.ts'
import type { ModelStore } from '../../ports/models.ts'
import { openPriceBook } from './price-book.ts'

const ORG = 'org_1'

/** A store whose rows the test changes, and a clock that it moves. */
function setup(
  offers: (model: PricedModel) => boolean = () => true,
  ownerOf: (model: PricedModel) => string | undefined = () => undefined,
) {
  let rows: () => PricedModel[] = () => builtInModels(0)
  let nowMs = 0
  let reads = 0
  let aliases: ModelAlias[] = []
  const models: Pick<ModelStore, 'list' | 'aliases'> = {
    async list() {
      reads++
      return rows()
    },
    aliases: async () => aliases,
  }
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }
  return {
    book: openPriceBook({ models, clock, offers, ownerOf }),
    reads: () => reads,
    at(ms: number) {
      nowMs = ms
    },
    setRows(next: () => PricedModel[]) {
      rows = next
    },
    setAliases(next: ModelAlias[]) {
      aliases = next
    },
  }
}

test('finds a model by its name, without a promise while the cached catalog is fresh', async () => {
  const { book, reads } = setup()
  expect(await book.findModel('vendorC/model-4.1', ORG)).toMatchObject({ modelId: 7 })
  expect(book.findModel('vendorC/model-4.1', ORG)).toMatchObject({ modelId: 7, prices: [{}, {}, {}] })
  expect(book.findModel('vendorC/none', ORG)).toBeUndefined()
  expect(book.findModel('constructor', ORG)).toBeUndefined()
  expect(reads()).toBe(1)
})

test('`listModels` and `findModel` share one read', async () => {
  const { book, reads } = setup()
  const [listed, found] = await Promise.all([book.listModels(ORG), book.findModel('vendorA/gen-2.0', ORG)])
  expect(listed[0]).toBe(found)
  expect(reads()).toBe(1)
})

test('the list is the same array while nothing changed', async () => {
  const { book, at, setRows } = setup()
  const first = await book.listModels(ORG)
  at(10_000)
  expect(await book.listModels(ORG)).toBe(first)
  setRows(() => builtInModels(0).map((model) => ({ ...model, prices: [] })))
  at(20_000)
  const second = await book.listModels(ORG)
  expect(second).not.toBe(first)
  expect(second[0]?.prices).toEqual([])
})

test('`listModels` lists only offered models, but `findModel` finds other models too', async () => {
  const { book } = setup(({ name }) => name.startsWith('vendorD/'))
  expect((await book.listModels(ORG)).map(({ name }) => name)).toEqual([
    'vendorD/text-large',
    'vendorD/text-small',
  ])
  expect(book.findModel('vendorA/gen-2.0', ORG)).toMatchObject({ modelId: 1 })
})

test('a change is seen within 5 s, and immediately after a message', async () => {
  const { book, at, setRows } = setup()
  await book.findModel('vendorA/gen-2.0', ORG)
  setRows(() => [])
  expect(book.findModel('vendorA/gen-2.0', ORG)).toBeDefined()
  book.forget()
  expect(await book.findModel('vendorA/gen-2.0', ORG)).toBeUndefined()
  setRows(() => builtInModels(0))
  at(5_000)
  expect(await book.findModel('vendorA/gen-2.0', ORG)).toBeDefined()
})

test('planned prices apply from their moment on, with a fresh catalog and with an unreachable store', async () => {
  const { book, at, setRows, reads } = setup()
  const planned = (fromMs: number) => () =>
    builtInModels(0).map((model) => ({ ...model, nextPrices: { fromMs, prices: [] } }))
  const priceOf = async () => (await book.findModel('vendorC/model-4.1', ORG))?.prices.length
  setRows(planned(1_000))
  expect(await priceOf()).toBe(3)
  at(999)
  const before = book.findModel('vendorC/model-4.1', ORG)
  expect(await priceOf()).toBe(3)
  at(1_000)
  expect(await priceOf()).toBe(0)
  expect(before).toMatchObject({ prices: [{}, {}, {}] })
  expect(reads()).toBe(1)
  setRows(planned(30_000))
  book.forget()
  expect(await priceOf()).toBe(3)
  setRows(() => {
    throw new Error('away')
  })
  at(30_000)
  expect(await priceOf()).toBe(0)
})

test('an old catalog is better than none while the store is unreachable', async () => {
  const { book, at, setRows } = setup()
  await book.findModel('vendorA/gen-2.0', ORG)
  setRows(() => {
    throw new Error('away')
  })
  at(60_000)
  expect(await book.findModel('vendorA/gen-2.0', ORG)).toMatchObject({ modelId: 1 })
})

test('models of one organization are listed only for that organization', async () => {
  const isOwned = ({ name }: PricedModel) => name.startsWith('vendorD/')
  const { book } = setup(
    (model) => isOwned(model) || model.name === 'vendorC/model-4.1',
    (model) => (isOwned(model) ? 'org_2' : undefined),
  )
  const own = ['vendorC/model-4.1', 'vendorD/text-large', 'vendorD/text-small']
  expect((await book.listModels('org_2')).map(({ name }) => name)).toEqual(own)
  expect(await book.listModels('org_2')).toBe(await book.listModels('org_2'))
  expect(book.offeredNames('org_2')).toEqual(own)
  expect(book.findModel('vendorD/text-small', 'org_2')).toBeDefined()
  expect((await book.listModels(ORG)).map(({ name }) => name)).toEqual(['vendorC/model-4.1'])
  expect(await book.listModels(ORG)).toBe(await book.listModels('org_3'))
  expect(book.offeredNames(ORG)).toEqual(['vendorC/model-4.1'])
  expect(book.findModel('vendorD/text-small', ORG)).toBeUndefined()
})

test('a video model is known by its name, and a row with `like` after the first read of the catalog', async () => {
  const { book, setRows } = setup()
  const film = { ...(builtInModels(0)[0] ?? expect.fail()), name: 'acme/film', likeModel: 'vendorB/gen-v3' }
  setRows(() => [...builtInModels(0), film])
  expect(book.findVideoModel('vendorB/gen-v3', ORG)?.family.priceUnit).toBe('second')
  expect(book.findVideoModel('acme/film', ORG)).toBeUndefined()
  await book.listModels(ORG)
  expect(book.findVideoModel('acme/film', ORG)?.family.priceUnit).toBe('second')
  expect(book.findVideoModel('vendorC/model-4.1', ORG)).toBeUndefined()
})

test('an alias finds its model, and the alias of an organization precedes the general one', async () => {
  const { book, setAliases, at } = setup()
  setAliases([
    { alias: 'fast', model: 'vendorC/model-4.1', organizationId: null },
    { alias: 'fast', model: 'vendorD/text-small', organizationId: 'org_2' },
    { alias: 'film', model: 'vendorB/gen-v3', organizationId: 'org_2' },
    { alias: 'vendorC/model-4.1', model: 'vendorD/text-small', organizationId: null },
    { alias: 'gone', model: 'vendorC/removed', organizationId: null },
  ])
  expect(await book.findModel('fast', ORG)).toMatchObject({ name: 'vendorC/model-4.1', modelId: 7 })
  expect(book.findModel('fast', 'org_2')).toMatchObject({ name: 'vendorD/text-small' })
  expect(book.findModel('vendorC/model-4.1', ORG)).toMatchObject({ name: 'vendorC/model-4.1' })
  expect(book.findModel('gone', ORG)).toBeUndefined()
  expect(book.findVideoModel('film', 'org_2')?.family.priceUnit).toBe('second')
  expect(book.findVideoModel('film', ORG)).toBeUndefined()
  expect(book.nameOf('fast', 'org_2')).toBe('vendorD/text-small')
  const listed = async (organizationId: string) =>
    (await book.listModels(organizationId)).flatMap(({ name, aliasOf }) => (aliasOf ? [[name, aliasOf]] : []))
  expect(await listed(ORG)).toEqual([['fast', 'vendorC/model-4.1']])
  expect(await listed('org_2')).toEqual([
    ['fast', 'vendorD/text-small'],
    ['film', 'vendorB/gen-v3'],
  ])
  expect(book.offeredNames(ORG)).toContain('fast')
  const before = await book.listModels(ORG)
  setAliases([])
  at(10_000)
  await book.listModels(ORG)
  await Promise.resolve()
  expect(before).not.toBe(await book.listModels(ORG))
  expect(book.findModel('fast', ORG)).toBeUndefined()
})

test('a planned price that is due gives new objects for all rows, because routes keep the targets of a row', async () => {
  const { book, at, setRows } = setup()
  const [first, ...others] = builtInModels(0)
  if (first === undefined) expect.fail('there is no model')
  setRows(() => [{ ...first, nextPrices: { fromMs: 1_000, prices: [] } }, ...others])
  const before = await book.listModels(ORG)
  at(6_000)
  const after = await book.listModels(ORG)
  expect(after).toHaveLength(before.length)
  expect(after.filter((row) => before.includes(row))).toEqual([])
})
