import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryCache } from '../../../src/adapters/memory/memory-cache.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { keepCatalog } from '../../../src/app/catalog/keep-catalog.ts'
import { setPrices } from '../../../src/app/catalog/set-prices.ts'
import { readOneModel } from '../../../src/config/catalog/read-one-model.ts'
import type { ModelStore } from '../../../src/ports/models.ts'
import { type LentStore, lendPostgres, lendSqlite } from '../store/lend-store.ts'
import { SILENT_LOG } from '../store/silent-log.ts'

const NAME = 'vendorC/model-4.1'
const MODEL_ID = 7
const JANUARY_MS = Date.UTC(2100, 0)
const PRICES = ['input_token', 'output_token'].map((unit) => ({ unit, usd_per_million: 2 }))
const PLAN = JSON.stringify({ prices: PRICES, prices_from: new Date(JANUARY_MS), endpoints: ['messages'] })

describe.each([
  { engine: 'SQLite', lend: lendSqlite },
  { engine: 'PostgreSQL', lend: lendPostgres },
])('a change of a model that another operator changes meanwhile, on $engine', ({ lend }) => {
  let lent: LentStore
  beforeEach(async () => {
    lent = await lend()
  })
  afterEach(() => lent.giveBack())

  function operator(models: ModelStore = lent.store.models) {
    const cache = createMemoryCache({ clock: systemClock, maxBytes: 1_000, log: SILENT_LOG })
    const tools = {
      clock: systemClock,
      newId: createIds(systemClock),
      log: SILENT_LOG,
      actor: 'cli',
    } as const
    return keepCatalog({ models, cache, readOneModel, ...tools })
  }

  /** An operator whose first write comes after a whole change of another operator. */
  function overtaken(other: string) {
    const others = [other]
    const apply = async (...args: Parameters<ModelStore['apply']>) => {
      for (const text of others.splice(0)) await operator().updateModel(NAME, text)
      return lent.store.models.apply(...args)
    }
    return operator({ ...lent.store.models, apply })
  }

  const twoDollars = [{ priceMicros: 2_000_000 }, { priceMicros: 2_000_000 }]
  const planned = { endpoints: ['messages'], nextPrices: { fromMs: JANUARY_MS, prices: twoDollars } }
  const changes = async () => (await lent.store.audit.list({ limit: 9 })).map(({ action }) => action)

  test('keeps its planned prices of 2 USD and its endpoints', async () => {
    await overtaken(PLAN).updateModel(NAME, '{ ends: 2101-01-01 }')
    expect(await lent.store.models.find(MODEL_ID)).toMatchObject({ ends: '2101-01-01', ...planned })
    expect(await changes()).toEqual(['model.update', 'model.update'])
  })

  test('keeps them when it sets the prices of today to 3 USD', async () => {
    const amounts = { usd_per_million: 3, usd: undefined, times: undefined }
    const rows = ['input_token', 'output_token'] as const
    const attributes = { resolution: null, videoInput: null, audio: null }
    const prices = rows.map((unit) => ({ unit, ...attributes, amounts }))
    await setPrices(overtaken(PLAN))({ modelId: MODEL_ID, prices })
    const threeDollars = [{ priceMicros: 3_000_000 }, { priceMicros: 3_000_000 }]
    expect(await lent.store.models.find(MODEL_ID)).toMatchObject({ prices: threeDollars, ...planned })
  })

  test('does nothing more when the other operator made the same change', async () => {
    const ends = '{ ends: 2101-01-01 }'
    const same = await overtaken(ends).updateModel(NAME, ends)
    expect(same).toMatchObject({ change: 'unchanged', model: { ends: '2101-01-01' } })
    expect(await changes()).toEqual(['model.update'])
  })
})
