import type { Upstream } from '../adapters/outbound/upstream.ts'
import { DRIVERS, driverOf, type Provider } from '../adapters/providers/drivers.ts'
import { type FindVendor, makesModels, type Vendor } from '../app/video/vendors.ts'
import { type PricedModel, splitModelName } from '../domain/catalog/model.ts'
import { FAMILY_PROVIDERS } from '../domain/video/families/families.ts'
import type { Config } from './config.ts'
import { composeOutside } from './outside.ts'
import type { Tools } from './tools.ts'

export interface Vendors {
  find: FindVendor
  names: readonly string[]
  close(): Promise<void>
}

/** Opens a driver with its own upstream for every configured provider that makes videos. */
export async function composeVendors(input: {
  config: Config
  providers: readonly Provider[]
  catalog: readonly PricedModel[]
  tools: Tools
}): Promise<Vendors> {
  const { config, providers, catalog, tools } = input
  const { openProvider } = await composeOutside(config, tools)
  const vendors = new Map<string, Vendor>()
  const opened: Upstream[] = []
  for (const provider of providers) {
    const { video } = driverOf(provider)
    if (video === undefined) continue
    const upstream = openProvider({ name: provider.name, baseUrl: provider.baseUrl })
    opened.push(upstream)
    const makes = makesModels({ family: video.family, models: provider.models })
    vendors.set(provider.name, { name: provider.name, makes, ...(await video.open(provider, { upstream })) })
  }
  const providersOfRows = catalog
    .filter(({ likeModel }) => likeModel !== undefined)
    .map(({ name }) => splitModelName(name).provider)
  return {
    find: (name) => vendors.get(name),
    // Tasks whose provider is no longer configured still end at their deadline.
    names: [...new Set([...vendors.keys(), ...FAMILY_PROVIDERS, ...providersOfRows])],
    close: async () => void (await Promise.all(opened.map((upstream) => upstream.close()))),
  }
}

/** The vendors of the sandbox use these names when no provider is configured. */
export function sandboxProviders(sandboxUrl: string): Provider[] {
  return Object.values(DRIVERS).flatMap((driver): Provider[] => driver.sandbox(sandboxUrl))
}
