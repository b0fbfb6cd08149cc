import type { PricedModel } from '../../domain/catalog/priced-model.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ModelStore } from '../../ports/models.ts'
import { remember } from '../remember.ts'

/** Together at most 5 s: an operator's change of a row is seen by then. */
const FRESH_MS = 2_000
const TRUST_MS = 4_500
/** An old catalog is better than none while the store is away. */
const GRACE_MS = 3_600_000

/** Everything is given at once while the last reading is fresh. */
export interface PriceBook {
  /**
   * The models that can be served. While nothing changed it is the same array each time, so that whoever
   * presents it can keep what was written.
   */
  listModels(): readonly PricedModel[] | Promise<readonly PricedModel[]>
  /** The names that `listModels` last gave, for a client that asked for another. */
  offeredNames(): readonly string[]
  /** Any model of the catalog, whether or not its provider is there: "not configured" is another answer than "unknown". */
  findModel(name: string): PricedModel | undefined | Promise<PricedModel | undefined>
  /** The next question reads the store again. */
  forget(): void
}

interface Reading {
  models: readonly PricedModel[]
  offered: readonly PricedModel[]
  byName: ReadonlyMap<string, PricedModel>
}

/** One memory of models and prices for a process. */
export function openPriceBook({
  models,
  clock,
  offers,
}: {
  models: ModelStore
  clock: Clock
  /** Whether clients can use it. */
  offers(model: PricedModel): boolean
}): PriceBook {
  let current: Reading | undefined
  const memory = remember<Reading>({
    clock,
    freshMs: FRESH_MS,
    trustMs: TRUST_MS,
    graceMs: GRACE_MS,
    maxEntries: 1,
  })
  const recall = () => memory.recall('catalog', read)

  return {
    listModels() {
      const reading = recall()
      return reading instanceof Promise ? reading.then(({ offered }) => offered) : reading.offered
    },
    findModel(name) {
      const reading = recall()
      return reading instanceof Promise
        ? reading.then(({ byName }) => byName.get(name))
        : reading.byName.get(name)
    },
    offeredNames: () => current?.offered.map(({ name }) => name) ?? [],
    forget: () => memory.forgetWhere(() => true),
  }

  async function read(): Promise<Reading> {
    const found = await models.list()
    if (current === undefined || JSON.stringify(found) !== JSON.stringify(current.models)) {
      current = {
        models: found,
        offered: found.filter(offers),
        byName: new Map(found.map((model) => [model.name, model])),
      }
    }
    return current
  }
}
