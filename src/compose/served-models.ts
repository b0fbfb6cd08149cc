import { driverOf, type Provider } from '../adapters/providers/drivers.ts'
import { catalogWarnings } from '../domain/catalog/catalog-warnings.ts'
import { splitModelName } from '../domain/catalog/model.ts'
import type { PricedModel } from '../domain/catalog/priced-model.ts'
import { FAMILIES } from '../domain/video/families/families.ts'

/** A model of the catalog can be served when its provider is configured for it and its prices are complete. */
export function servedModels(providers: readonly Provider[]): (model: PricedModel) => boolean {
  const configured = new Set(providers.flatMap(namesOf))
  return (model) => configured.has(model.name) && catalogWarnings(model).length === 0
}

/** A provider may belong to one organization, and its models with it. */
export function ownersOfModels(
  providers: readonly Provider[],
): (model: Pick<PricedModel, 'name'>) => string | undefined {
  const owners = new Map<string, string>()
  for (const provider of providers)
    if (provider.organizationId !== undefined) owners.set(provider.name, provider.organizationId)
  return ({ name }) => owners.get(splitModelName(name).provider)
}

/** What `sluice.yaml` configures and clients still cannot use, with the reason for an operator. */
export function unservedModels(
  providers: readonly Provider[],
  catalog: readonly PricedModel[],
): { model: string; why: string }[] {
  const rows = new Map(catalog.map((model) => [model.name, model]))
  return providers.flatMap((provider) => {
    const names = namesOf(provider)
    if (names.length === 0)
      return [{ model: `${provider.name}/*`, why: 'it makes no model that Sluice knows' }]
    return names.flatMap((name) => {
      const row = rows.get(name)
      const why = row === undefined ? 'no row of the catalog has this name' : catalogWarnings(row)[0]
      return why === undefined ? [] : [{ model: name, why }]
    })
  })
}

/** The names clients would use for what a provider is configured for. */
function namesOf(provider: Provider): string[] {
  if (provider.models !== undefined)
    return Array.from(provider.models.keys(), (name) => `${provider.name}/${name}`)
  const family = driverOf(provider).video?.family
  const own = family === undefined ? [] : [...FAMILIES[family].models.keys()]
  return own.filter((name) => splitModelName(name).provider === provider.name)
}
