import type { Operator } from '../../src/app/operator.ts'
import { micros } from '../../src/domain/billing/micros.ts'
import { builtInModels } from '../../src/domain/catalog/built-in.ts'
import type { PriceRow } from '../../src/domain/catalog/price-row.ts'
import type { Store } from '../../src/ports/store.ts'
import type { FallbackRule, PriceList, TextPrice } from '../books/price-list.ts'
import type { Random } from '../kernel/random.ts'
import type { World } from '../kernel/world.ts'

const TEXT_ROWS = [
  {
    modelId: 7,
    name: 'vendorC/model-4.1',
    maxOutputTokens: 32_768,
    price: { input: 2_000_000, cachedInput: 500_000, output: 8_000_000 },
  },
  {
    modelId: 8,
    name: 'vendorC/model-4.1-mini',
    maxOutputTokens: 32_768,
    price: { input: 400_000, cachedInput: 100_000, output: 1_600_000 },
  },
  {
    modelId: 9,
    name: 'vendorC/model-o3',
    maxOutputTokens: 100_000,
    price: { input: 2_000_000, cachedInput: 500_000, output: 8_000_000 },
  },
] as const

/** Video models, each of which may be a stand-in for the others. */
const VIDEO_ROWS = [
  { modelId: 1, name: 'vendorA/gen-2.0' },
  { modelId: 2, name: 'vendorA/gen-2.0-fast' },
  { modelId: 4, name: 'vendorB/gen-v4-fast' },
] as const

const FALLBACK_RULES: readonly FallbackRule[] = ['lower', 'asked', 'served']

/** Changes of an operator in the catalog: prices and fallbacks of text models, stand-ins of video models. */
export class CatalogChanges {
  readonly #world: World
  readonly #prices: PriceList
  readonly #store: Store
  readonly #random: Random
  readonly #applyCatalog: Operator['applyCatalog']

  constructor({
    world,
    prices,
    store,
    random,
    applyCatalog,
  }: {
    world: World
    prices: PriceList
    store: Store
    random: Random
    applyCatalog: Operator['applyCatalog']
  }) {
    this.#world = world
    this.#prices = prices
    this.#store = store
    this.#random = random
    this.#applyCatalog = applyCatalog
    for (const { name, price } of TEXT_ROWS)
      prices.set(name, { ...price, cacheWrite: price.input }, { atMs: 0, rule: 'lower' })
  }

  /** Must run before the first replica starts: the catalog that a replica fills in has no stand-ins. */
  async fill(): Promise<void> {
    await this.#store.models.fillWhenEmpty(builtInModels(this.#world.wallMs))
    for (const row of VIDEO_ROWS) await this.#setStandIns(row, 2)
  }

  changeStandIns(): Promise<void> {
    return this.#setStandIns(this.#random.pick(VIDEO_ROWS), this.#random.whole(0, 2))
  }

  /** The order of the stand-ins is random. */
  async #setStandIns({ modelId, name }: (typeof VIDEO_ROWS)[number], count: number): Promise<void> {
    const others = VIDEO_ROWS.map((row) => row.name).filter((other) => other !== name)
    const standIns = (this.#random.chance(0.5) ? others : others.toReversed()).slice(0, count)
    this.#world.trace('operator', `lets ${standIns.join(', ') || 'no model'} step in for ${name}`)
    await this.#applyCatalog([
      {
        ...{ modelId, name, endpoints: null, maxOutputTokens: undefined, fallbacks: undefined },
        ...{ standIns, prices: undefined },
      },
    ])
  }

  async changePrice(): Promise<void> {
    const { modelId, name, maxOutputTokens } = this.#random.pick(TEXT_ROWS)
    const price: TextPrice = {
      input: this.#random.whole(1, 5_000_000),
      cachedInput: this.#random.whole(1, 1_000_000),
      cacheWrite: this.#random.whole(1, 6_000_000),
      output: this.#random.whole(1, 20_000_000),
    }
    const rule = this.#random.pick(FALLBACK_RULES)
    const others = TEXT_ROWS.map((row) => row.name).filter((other) => other !== name)
    const fallbacks = this.#random.chance(0.3) ? [] : this.#random.chance(0.5) ? others : others.slice(1)
    this.#world.trace(
      'operator',
      `changes the price of ${name}, with ${fallbacks.length} fallbacks, fallback price: ${rule}`,
    )
    this.#prices.set(name, price, { atMs: this.#world.nowMs, rule })
    await this.#applyCatalog([
      {
        ...{ modelId, name, endpoints: null, maxOutputTokens, fallbacks, fallbackPrice: rule },
        prices: rowsOf(price),
      },
    ])
  }
}

function rowsOf({ input, cachedInput, cacheWrite, output }: TextPrice): PriceRow[] {
  const row = (unit: PriceRow['unit'], price: number): PriceRow => ({
    unit,
    resolution: null,
    videoInput: null,
    audio: null,
    priceMicros: micros(price),
  })
  return [
    row('input_token', input),
    row('cached_input_token', cachedInput),
    row('cache_write_token', cacheWrite),
    row('output_token', output),
  ]
}
