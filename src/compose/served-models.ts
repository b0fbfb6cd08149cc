import { driverOf, type Provider } from '../adapters/providers/drivers.ts'
import { builtInModels } from '../domain/catalog/built-in.ts'
import { catalogWarnings } from '../domain/catalog/catalog-warnings.ts'
import { endpointsOf, isVideoModel } from '../domain/catalog/endpoints-of.ts'
import { isConfiguredFor } from '../domain/catalog/is-configured-for.ts'
import { type FindRow, type PricedModel, servingRows, splitModelName } from '../domain/catalog/model.ts'
import { FAMILIES, isOfFamily, videoModelOf } from '../domain/video/families/families.ts'
import type { Installation } from '../ports/installation.ts'
import type { Log } from '../ports/log.ts'
import type { ProviderSet } from './providers/provider-set.ts'

export function servedModels(
  providers: readonly Provider[],
): (model: PricedModel, findRow: FindRow) => boolean {
  const why = whyUnservable({ serving: providers, disabled: new Set() })
  return (row, findRow) => why(row, findRow) === undefined
}

/**
 * Returns a function that tells why the gateway cannot serve a model. It returns undefined for a published model with
 * an endpoint, complete prices, and a provider (or a target of its route) that is configured for it.
 */
export function whyUnservable(
  input: Pick<ProviderSet, 'serving' | 'disabled'>,
): Installation['whyUnservable'] {
  const { serving, disabled } = input
  const byName = new Map(serving.map((provider) => [provider.name, provider]))
  const isTarget = (row: PricedModel) => {
    const provider = byName.get(splitModelName(row.name).provider)
    return (
      provider !== undefined &&
      whyUnconfigured(row, byName) === undefined &&
      driverOf(provider).text !== undefined
    )
  }
  const whyNotHere = (row: PricedModel, findRow: FindRow) => {
    if (row.route !== undefined)
      return servingRows(row, findRow).some(isTarget)
        ? catalogWarnings(row)[0]
        : 'no target of its route is configured'
    const { provider: name } = splitModelName(row.name)
    if (disabled.has(name)) return `the provider "${name}" is disabled`
    const provider = byName.get(name)
    return whyUnconfigured(row, byName) ?? (provider && whyNot(provider, row))
  }
  return (row, findRow) =>
    (row.isUnpublished ? 'it is not published' : whyNotHere(row, findRow)) ??
    (hasEndpoint(row) ? undefined : 'its list of endpoints is empty')
}

/** Tells whether an endpoint offers the model. An operator hides a text model with an empty list of endpoints. */
function hasEndpoint(row: PricedModel): boolean {
  return isVideoModel(row) || endpointsOf(row).length > 0
}

/** Returns a function that finds the one organization to which a model's provider belongs. */
export function ownersOfModels(
  providers: readonly Provider[],
): (model: Pick<PricedModel, 'name'>) => string | undefined {
  const owners = new Map<string, string>()
  for (const provider of providers)
    if (provider.organizationId !== undefined) owners.set(provider.name, provider.organizationId)
  return ({ name }) => owners.get(splitModelName(name).provider)
}

/** Lists the configured models without a row, a fitting driver or prices, with reasons for an operator. */
export function unservedModels(
  providers: readonly Provider[],
  catalog: readonly PricedModel[],
): { model: string; why: string }[] {
  const rows = new Map(catalog.map((model) => [model.name, model]))
  const targets = new Set(catalog.flatMap(({ route = [] }) => route.map(({ model }) => model)))
  /** Tells whether clients reach a model only through a route, whose row has the price. */
  const isOnlyTarget = (row: PricedModel) => targets.has(row.name) && !hasEndpoint(row)
  return providers.flatMap((provider) => {
    const names = namesOf(provider, catalog)
    if (names.size === 0) return [{ model: `${provider.name}/*`, why: 'it makes no model that Sluice knows' }]
    return Array.from(names).flatMap((name) => {
      const row = rows.get(name)
      if (row !== undefined && isOnlyTarget(row)) return []
      const why = row === undefined ? 'no row of the catalog has this name' : whyNot(provider, row)
      return why === undefined ? [] : [{ model: name, why }]
    })
  })
}

/** Lists rows whose route has bad targets, and rows without a provider except built-in ones, which every store has. */
export function modelsWithoutProvider(
  providers: readonly Provider[],
  catalog: readonly PricedModel[],
): { model: string; why: string }[] {
  const builtIn = new Set(builtInModels(0).map(({ name }) => name))
  const byName = new Map(providers.map((provider) => [provider.name, provider]))
  return catalog.flatMap((row) => {
    if (row.route !== undefined) return unknownTargets(row, catalog)
    const why = builtIn.has(row.name) ? undefined : whyUnconfigured(row, byName)
    return why === undefined ? [] : [{ model: row.name, why }]
  })
}

function whyUnconfigured({ name }: PricedModel, byName: ReadonlyMap<string, Provider>): string | undefined {
  const { provider: providerName, model } = splitModelName(name)
  const provider = byName.get(providerName)
  if (provider === undefined) return `there is no provider "${providerName}"`
  if (isConfiguredFor(provider, model)) return undefined
  return `the provider "${providerName}" has no model "${model}"`
}

/** Lists targets that do not exist or have a route, which only an edit of rows by hand can make. */
function unknownTargets({ name, route = [] }: PricedModel, catalog: readonly PricedModel[]) {
  return route.flatMap(({ model: target }) => {
    const row = catalog.find((other) => other.name === target)
    if (row !== undefined && row.route === undefined) return []
    const what = row === undefined ? 'is not a model of the catalog' : 'has a route itself'
    return [{ model: name, why: `its route names ${target}, which ${what}` }]
  })
}

/** Lists stand-ins that the gateway would skip. One without prices is fine: the asked model's price is charged. */
export function idleStandIns(
  providers: readonly Provider[],
  catalog: readonly PricedModel[],
): { model: string; standIn: string; why: string }[] {
  const rows = new Map(catalog.map((row) => [row.name, row]))
  const byName = new Map(providers.map((provider) => [provider.name, provider]))
  const ownerOf = ownersOfModels(providers)
  const whyNotMade = (row: PricedModel | undefined): string | undefined => {
    if (row === undefined) return 'no row of the catalog has this name'
    const provider = byName.get(splitModelName(row.name).provider)
    return whyUnconfigured(row, byName) ?? (provider && whyNoVideosOf(provider, row))
  }
  return catalog
    .filter((row) => whyNotMade(row) === undefined)
    .flatMap(({ name: model, standIns = [] }) =>
      standIns.flatMap((standIn) => {
        const row = rows.get(standIn)
        const why = whyNotMade(row) ?? (row && whyOfOthers(ownerOf({ name: model }), ownerOf(row)))
        return why === undefined ? [] : [{ model, standIn, why }]
      }),
    )
}

/** Explains that a request of one organization cannot use another organization's provider. */
function whyOfOthers(owner: string | undefined, standInOwner: string | undefined): string | undefined {
  if (owner === undefined || standInOwner === undefined || owner === standInOwner) return undefined
  return `its provider belongs to ${standInOwner}, and that of the model to ${owner}`
}

/** Logs models that a mistake makes unusable: a model needs a provider, a row of the catalog and prices. */
export function warnOfModels(tools: {
  providers: readonly Provider[]
  catalog: readonly PricedModel[]
  runsSandbox: boolean
  log: Log
}): void {
  const { providers, catalog, runsSandbox, log } = tools
  for (const { model, why } of unservedModels(providers, catalog))
    log.warn('model.unusable', { code: model, reason: why })
  // The sandbox serves the built-in rows; an operator added the other rows for a later vendor.
  if (runsSandbox) return
  for (const { model, why } of modelsWithoutProvider(providers, catalog))
    log.warn('model.without_provider', { code: model, reason: why })
}

/** Returns the names by which clients request the configured models of a provider. */
function namesOf(provider: Provider, catalog: readonly PricedModel[]): Set<string> {
  if (provider.models !== undefined)
    return new Set(Array.from(provider.models.keys(), (name) => `${provider.name}/${name}`))
  const family = driverOf(provider).video?.family
  const known = family === undefined ? [] : [...FAMILIES[family].models.keys()]
  const added = catalog.flatMap(({ name, likeModel }) => (likeModel === undefined ? [] : [name]))
  return new Set([...known, ...added].filter((name) => splitModelName(name).provider === provider.name))
}

function whyNot(provider: Provider, row: PricedModel): string | undefined {
  const noVideos = videoModelOf(row) === undefined ? undefined : whyNoVideosOf(provider, row)
  if (noVideos !== undefined) return `${noVideos}: clients get 503`
  if (!isVideoModel(row) && driverOf(provider).text === undefined)
    return `the driver ${provider.driver} has no text models: clients get 503`
  return catalogWarnings(row)[0]
}

function whyNoVideosOf(provider: Provider, row: PricedModel): string | undefined {
  const family = driverOf(provider).video?.family
  if (family !== undefined && isOfFamily(family, row)) return undefined
  if (videoModelOf(row) === undefined) return 'it is not a video model'
  return `the driver ${provider.driver} does not make videos like ${row.likeModel ?? row.name}`
}
