import { driverOf, type Provider } from '../adapters/providers/drivers.ts'
import {
  closedVendor,
  type FindVendor,
  makesModels,
  type Vendor,
  withOlderTasksAt,
} from '../app/video/vendors.ts'
import { type PricedModel, splitModelName } from '../domain/catalog/model.ts'
import { FAMILY_PROVIDERS } from '../domain/video/families/families.ts'
import type { Config } from './config.ts'
import { composeOutside } from './outside.ts'
import { openEach } from './providers/open-each.ts'
import type { ProviderSet } from './providers/provider-set.ts'
import type { Tools } from './tools.ts'

export interface Vendors {
  find: FindVendor
  names(): readonly string[]
}

interface OpenVendors extends Vendors {
  replace(set: Pick<ProviderSet, 'serving' | 'resting'>): Promise<void>
  close(): Promise<void>
}

/** Opens a driver with its own upstream for every provider that makes videos. */
export async function composeVendors(input: {
  config: Config
  catalog: readonly PricedModel[]
  tools: Tools
}): Promise<OpenVendors> {
  const { config, catalog, tools } = input
  const { openProvider } = await composeOutside(config, tools)
  const open = async (provider: Provider) => {
    const { video } = driverOf(provider)
    if (video === undefined) return undefined
    const upstream = openProvider(provider)
    const makes = makesModels({ family: video.family, models: provider.models })
    const part: Vendor = { name: provider.name, makes, ...(await video.open(provider, { upstream })) }
    return { part, upstream }
  }
  const [serving, resting] = [openEach(open, tools.clock), openEach(open, tools.clock)]
  let vendors: ReadonlyMap<string, Vendor> = new Map()
  const providersOfRows = catalog
    .filter(({ likeModel }) => likeModel !== undefined)
    .map(({ name }) => splitModelName(name).provider)
  return {
    find: (name) => vendors.get(name),
    // Tasks whose provider is no longer configured are also swept, and end at their deadline.
    names: () => [...new Set([...vendors.keys(), ...FAMILY_PROVIDERS, ...providersOfRows])],
    async replace(set) {
      await serving.replace(set.serving)
      await resting.replace(set.resting)
      const names = new Set([...set.serving, ...set.resting].map(({ name }) => name))
      vendors = new Map(
        Array.from(names).flatMap((name) => {
          const vendor = vendorOf(serving.find(name), resting.find(name))
          return vendor === undefined ? [] : [[name, vendor]]
        }),
      )
    },
    close: async () => void (await Promise.all([serving.close(), resting.close()])),
  }
}

/** Leaves open tasks with their vendor, such as the sandbox, when another vendor gets its name. */
function vendorOf(serving: Vendor | undefined, resting: Vendor | undefined): Vendor | undefined {
  if (serving === undefined) return resting && closedVendor(resting)
  return resting === undefined ? serving : withOlderTasksAt(resting, serving)
}
