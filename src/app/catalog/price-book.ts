import { type FindRow, type PricedModel, servingRows } from '../../domain/catalog/model.ts'
import { type VideoModel, videoModelOf } from '../../domain/video/families/families.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ModelStore } from '../../ports/models.ts'
import { createTtlCache } from '../ttl-cache.ts'

/** Together at most 5 s: an operator's change of a row is visible by then. */
const FRESH_MS = 2_000
const TRUST_MS = 4_500
/** An old catalog is better than none while the store is unreachable. */
const GRACE_MS = 3_600_000

/**
 * Answers at once while the last reading is fresh. Models of a provider that belongs to one organization exist for that
 * organization only: for every other one the catalog has no such rows.
 */
export interface PriceBook {
  /**
   * Returns the models that this organization can be served. The array is the same while nothing changed, so that an
   * operation that presents it can keep its output.
   */
  listModels(organizationId: string): readonly PricedModel[] | Promise<readonly PricedModel[]>
  /** Returns the names of the last `listModels`, for a client that asked for another. */
  offeredNames(organizationId: string): readonly string[]
  /** Finds any model of the catalog, even without its provider: "not configured" and "unknown" are different errors. */
  findModel(name: string, organizationId: string): PricedModel | undefined | Promise<PricedModel | undefined>
  /** Finds any model of the last reading, of any organization: the caller checks the owner of a provider. */
  findTarget(name: string): PricedModel | undefined
  /**
   * Returns the video model of this name, by the last reading; before the first one only the families' own models are known.
   * undefined: it is not a video model.
   */
  findVideoModel(name: string): VideoModel | undefined
  /** Makes the next call read the store again. */
  forget(): void
}

interface CatalogReading {
  models: readonly PricedModel[]
  /** Models offered to every organization without a provider of its own. */
  offered: readonly PricedModel[]
  /** Models offered to organizations with a provider of their own. */
  offeredTo: ReadonlyMap<string, readonly PricedModel[]>
  byName: ReadonlyMap<string, { model: PricedModel; owner: string | undefined }>
}

/** Keeps the models and prices of a process in memory. */
export function openPriceBook(tools: {
  models: ModelStore
  clock: Clock
  /** Whether clients can use the model. */
  offers(model: PricedModel, findRow: FindRow): boolean
  /** Returns the one organization that may use the model; undefined: all of them. */
  ownerOf?: (model: PricedModel) => string | undefined
}): PriceBook {
  const { models, clock, offers, ownerOf = () => undefined } = tools
  let current: CatalogReading | undefined
  const memory = createTtlCache<CatalogReading>({
    clock,
    freshMs: FRESH_MS,
    trustMs: TRUST_MS,
    graceMs: GRACE_MS,
    maxEntries: 1,
  })
  const recall = () => memory.get('catalog', read)

  return {
    listModels(organizationId) {
      const reading = recall()
      return reading instanceof Promise
        ? reading.then((read) => offeredIn(read, organizationId))
        : offeredIn(reading, organizationId)
    },
    findModel(name, organizationId) {
      const reading = recall()
      return reading instanceof Promise
        ? reading.then((read) => findIn(read, name, organizationId))
        : findIn(reading, name, organizationId)
    },
    offeredNames: (organizationId) =>
      current === undefined ? [] : offeredIn(current, organizationId).map(({ name }) => name),
    findTarget: (name) => current?.byName.get(name)?.model,
    findVideoModel: (name) => videoModelOf(current?.byName.get(name)?.model ?? { name }),
    forget: () => memory.forgetWhere(() => true),
  }

  async function read(): Promise<CatalogReading> {
    const found = await models.list()
    if (current === undefined || JSON.stringify(found) !== JSON.stringify(current.models))
      current = readingOf(found)
    return current
  }

  function readingOf(found: readonly PricedModel[]): CatalogReading {
    const named = new Map(found.map((model) => [model.name, model]))
    const findRow: FindRow = (name) => named.get(name)
    const rows = found.map((model) => {
      const [owner, ...others] = servingRows(model, findRow).map(ownerOf)
      return { model, owner: others.every((other) => other === owner) ? owner : undefined }
    })
    const offered = rows.filter(({ model }) => offers(model, findRow))
    const offeredFor = (organizationId: string | undefined) =>
      offered.filter(({ owner }) => owner === undefined || owner === organizationId).map(({ model }) => model)
    const owners = new Set(rows.flatMap(({ owner }) => owner ?? []))
    return {
      models: found,
      offered: offeredFor(undefined),
      offeredTo: new Map(Array.from(owners, (owner) => [owner, offeredFor(owner)])),
      byName: new Map(rows.map((row) => [row.model.name, row])),
    }
  }
}

function offeredIn({ offered, offeredTo }: CatalogReading, organizationId: string): readonly PricedModel[] {
  return offeredTo.get(organizationId) ?? offered
}

function findIn({ byName }: CatalogReading, name: string, organizationId: string): PricedModel | undefined {
  const row = byName.get(name)
  return row?.owner === undefined || row.owner === organizationId ? row?.model : undefined
}
