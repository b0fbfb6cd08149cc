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
  const openParts = () => openEach(open, tools.clock)
  const [serving, disabled, sandbox] = [openParts(), openParts(), openParts()]
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
      await disabled.replace(set.resting.filter(({ isFromStore }) => isFromStore))
      await sandbox.replace(set.resting.filter(({ isFromStore }) => !isFromStore))
      const found = new Map<string, Vendor>()
      for (const { name } of [...set.serving, ...set.resting]) {
        const vendor = vendorOf(serving.find(name), disabled.find(name), sandbox.find(name))
        if (vendor !== undefined) found.set(name, vendor)
      }
      vendors = found
    },
    close: async () => void (await Promise.all([serving, disabled, sandbox].map((parts) => parts.close()))),
  }
}

/** Leaves tasks of the sandbox with it when another vendor takes its name, also while that vendor is disabled. */
function vendorOf(serving?: Vendor, disabled?: Vendor, sandbox?: Vendor): Vendor | undefined {
  const vendor = serving ?? (disabled && closedVendor(disabled))
  if (vendor === undefined) return sandbox && closedVendor(sandbox)
  return sandbox === undefined ? vendor : withOlderTasksAt(sandbox, vendor)
}
