import { type FindRow, type PricedModel, servingRows } from '../../domain/catalog/model.ts'
import { type VideoModel, videoModelOf } from '../../domain/video/families/families.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ModelStore } from '../../ports/models.ts'
import { createTtlCache } from '../ttl-cache.ts'

/** Together at most 5 s: an operator's change of a row is seen by then. */
const FRESH_MS = 2_000
const TRUST_MS = 4_500
/** An old catalog is better than none while the store is unreachable. */
const GRACE_MS = 3_600_000

/**
 * Everything is given at once while the last reading is fresh. The models of a provider that belongs to one organization
 * are there for that one alone: to every other it is as if the catalog had no such rows.
 */
export interface PriceBook {
  /**
   * The models that this organization can be served. While nothing changed it is the same array each time, so that
   * an operation that presents it can keep what was written.
   */
  listModels(organizationId: string): readonly PricedModel[] | Promise<readonly PricedModel[]>
  /** The names that `listModels` last gave, for a client that asked for another. */
  offeredNames(organizationId: string): readonly string[]
  /** Any model of the catalog, whether or not its provider is there: "not configured" is another answer than "unknown". */
  findModel(name: string, organizationId: string): PricedModel | undefined | Promise<PricedModel | undefined>
  /** Any model of the last reading, for whichever organization: a provider that belongs to one is checked by the caller. */
  findTarget(name: string): PricedModel | undefined
  /**
   * What makes videos under this name, by the last reading; before the first one only the families' own models are
   * known. undefined: no video model has it.
   */
  findVideoModel(name: string): VideoModel | undefined
  /** The next question reads the store again. */
  forget(): void
}

interface Reading {
  models: readonly PricedModel[]
  /** To every organization that has no provider of its own. */
  offered: readonly PricedModel[]
  /** To those that have one. */
  offeredTo: ReadonlyMap<string, readonly PricedModel[]>
  byName: ReadonlyMap<string, { model: PricedModel; owner: string | undefined }>
}

/** One memory of models and prices for a process. */
export function openPriceBook({
  models,
  clock,
  offers,
  ownerOf = () => undefined,
}: {
  models: ModelStore
  clock: Clock
  /** Whether clients can use it. */
  offers(model: PricedModel, findRow: FindRow): boolean
  /** The one organization that may use it; undefined: all of them. */
  ownerOf?: (model: PricedModel) => string | undefined
}): PriceBook {
  let current: Reading | undefined
  const memory = createTtlCache<Reading>({
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

  async function read(): Promise<Reading> {
    const found = await models.list()
    if (current === undefined || JSON.stringify(found) !== JSON.stringify(current.models))
      current = readingOf(found)
    return current
  }

  function readingOf(found: readonly PricedModel[]): Reading {
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

function offeredIn({ offered, offeredTo }: Reading, organizationId: string): readonly PricedModel[] {
  return offeredTo.get(organizationId) ?? offered
}

function findIn({ byName }: Reading, name: string, organizationId: string): PricedModel | undefined {
  const row = byName.get(name)
  return row?.owner === undefined || row.owner === organizationId ? row?.model : undefined
}
