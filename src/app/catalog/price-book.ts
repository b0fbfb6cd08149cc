import type { ModelAlias } from '../../domain/catalog/alias.ts'
import { type FindRow, type OfferedModel, type PricedModel, servingRows } from '../../domain/catalog/model.ts'
import { pricedAt } from '../../domain/catalog/priced-at.ts'
import { type VideoModel, videoModelOf } from '../../domain/video/families/families.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ModelStore } from '../../ports/models.ts'
import { createTtlCache } from '../ttl-cache.ts'

/** Maximum age of a catalog that is used while the store is unreachable. */
const GRACE_MS = 3_600_000

/**
 * Models and prices of the catalog, cached from the last read of the store. Only a cache that is empty or too old makes
 * the caller wait. A model of one organization's own provider does not exist for other organizations.
 */
export interface PriceBook {
  /** Returns the models for this organization, as the same array while the catalog is unchanged. */
  listModels(organizationId: string): readonly OfferedModel[] | Promise<readonly OfferedModel[]>
  /** Returns the cached names of offered models, for the error when a client asks for an unknown model. */
  offeredNames(organizationId: string): readonly string[]
  /**
   * Finds a model by its name or an alias, even if its provider is not configured, because "not configured" and
   * "unknown" are different errors. A row found by an alias keeps the model's own name.
   */
  findModel(name: string, organizationId: string): PricedModel | undefined | Promise<PricedModel | undefined>
  /** Finds a cached model of any organization. The caller checks which organization the provider belongs to. */
  findTarget(name: string): PricedModel | undefined
  /** Finds a cached video model. Before the first read of the store, only names built into the families are known. */
  findVideoModel(name: string, organizationId: string): VideoModel | undefined
  /** Returns the name of the model behind a cached alias; any other name is returned unchanged. */
  nameOf(asked: string, organizationId: string): string
  forget(): void
  /** Decides again which models are offered, without a query. Called when the providers have changed. */
  offerAgain(): void
}

interface CatalogReading {
  /** Rows as the store has them. */
  models: readonly PricedModel[]
  /** Moment at which the next planned prices are due; Infinity: none are planned. */
  pricesChangeAtMs: number
  /** Models offered to organizations that have no entry in `offeredTo`. */
  offered: readonly OfferedModel[]
  /** Models offered to organizations with a provider or an alias of their own. */
  offeredTo: ReadonlyMap<string, readonly OfferedModel[]>
  byName: ReadonlyMap<string, { model: PricedModel; owner: string | undefined }>
  aliases: readonly ModelAlias[]
  /** Names of models by alias, for every organization (null) and for single ones. */
  aliasesOf: ReadonlyMap<string | null, ReadonlyMap<string, string>>
}

export function openPriceBook(tools: {
  models: Pick<ModelStore, 'list' | 'aliases'>
  clock: Clock
  offers(model: PricedModel, findRow: FindRow): boolean
  /** Returns the only organization that may use the model; undefined: all may. */
  ownerOf?: (model: PricedModel) => string | undefined
}): PriceBook {
  const { models, clock, offers, ownerOf = () => undefined } = tools
  let current: CatalogReading | undefined
  const memory = createTtlCache<CatalogReading>({ clock, graceMs: GRACE_MS, maxEntries: 1 })
  /** `current` may be newer than the cached reading: `offerAgain` and planned prices that are due replace it. */
  const recall = () => {
    if (current !== undefined && isOutdated(current)) current = readingOf(current.models, current.aliases)
    const reading = memory.get('catalog', read)
    return reading instanceof Promise ? reading.then((read) => current ?? read) : (current ?? reading)
  }

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
    offerAgain() {
      // Copies the rows, because values that were cached for the old row objects refer to the old providers.
      if (current === undefined) return
      const models = current.models.map((model) => ({ ...model }))
      current = readingOf(models, current.aliases)
    },
    offeredNames: (organizationId) =>
      current === undefined ? [] : offeredIn(current, organizationId).map(({ name }) => name),
    findTarget: (name) => current?.byName.get(name)?.model,
    findVideoModel(asked, organizationId) {
      const name = nameIn(current, asked, organizationId)
      return videoModelOf(current?.byName.get(name)?.model ?? { name })
    },
    nameOf: (asked, organizationId) => nameIn(current, asked, organizationId),
    forget: () => memory.forgetWhere(() => true),
  }

  async function read(): Promise<CatalogReading> {
    const [found, aliases] = await Promise.all([models.list(), models.aliases()])
    const seen = current && JSON.stringify([current.models, current.aliases])
    if (current === undefined || JSON.stringify([found, aliases]) !== seen || isOutdated(current))
      current = readingOf(found, aliases)
    return current
  }

  function isOutdated({ pricesChangeAtMs }: CatalogReading): boolean {
    return clock.nowMs() >= pricesChangeAtMs
  }

  function readingOf(stored: readonly PricedModel[], aliases: readonly ModelAlias[]): CatalogReading {
    // New row objects, because `choose-route.ts` caches the targets of a row, and a target's price may have changed.
    const found = stored.map((model) => ({ ...pricedAt(model, clock.nowMs()) }))
    const named = new Map(found.map((model) => [model.name, model]))
    const findRow: FindRow = (name) => named.get(name)
    const rows = found.map((model) => {
      const [owner, ...others] = servingRows(model, findRow).map(ownerOf)
      return { model, owner: others.every((other) => other === owner) ? owner : undefined }
    })
    const offered = rows.filter(({ model }) => offers(model, findRow))
    const ofOrganization = Map.groupBy(aliases, ({ organizationId }) => organizationId)
    const aliasesOf = new Map(
      Array.from(ofOrganization, ([organizationId, own]) => [
        organizationId,
        new Map(own.map(({ alias, model }) => [alias, model])),
      ]),
    )
    const offeredFor = (organizationId: string | undefined): OfferedModel[] => {
      const own = offered.filter(({ owner }) => owner === undefined || owner === organizationId)
      const models = own.map(({ model }) => model)
      const others = new Map([
        ...(aliasesOf.get(null) ?? []),
        ...(aliasesOf.get(organizationId ?? null) ?? []),
      ])
      return [...models, ...Array.from(others).flatMap(([alias, name]) => aliasRow(alias, name, models))]
    }
    const owners = new Set([
      ...rows.flatMap(({ owner }) => owner ?? []),
      ...aliases.flatMap(({ organizationId }) => organizationId ?? []),
    ])
    return {
      models: stored,
      pricesChangeAtMs: Math.min(...found.map(({ nextPrices }) => nextPrices?.fromMs ?? Infinity)),
      aliases,
      aliasesOf,
      offered: offeredFor(undefined),
      offeredTo: new Map(Array.from(owners, (owner) => [owner, offeredFor(owner)])),
      byName: new Map(rows.map((row) => [row.model.name, row])),
    }
  }
}

/** Returns no row if the model is not offered, or if an offered model has the alias as its name. */
function aliasRow(alias: string, name: string, models: readonly PricedModel[]): OfferedModel[] {
  const model = models.find((row) => row.name === name)
  if (model === undefined || models.some((row) => row.name === alias)) return []
  return [{ ...model, name: alias, aliasOf: name }]
}

function offeredIn({ offered, offeredTo }: CatalogReading, organizationId: string): readonly OfferedModel[] {
  return offeredTo.get(organizationId) ?? offered
}

/** Aliases are looked up only where no model has the name. */
function findIn(reading: CatalogReading, asked: string, organizationId: string): PricedModel | undefined {
  const { byName } = reading
  const row = byName.get(asked) ?? byName.get(nameIn(reading, asked, organizationId))
  if (row === undefined || row.model.isUnpublished) return undefined
  return row.owner === undefined || row.owner === organizationId ? row.model : undefined
}

function nameIn(reading: CatalogReading | undefined, asked: string, organizationId: string): string {
  if (reading === undefined || reading.aliases.length === 0 || reading.byName.has(asked)) return asked
  const { aliasesOf } = reading
  return aliasesOf.get(organizationId)?.get(asked) ?? aliasesOf.get(null)?.get(asked) ?? asked
}
