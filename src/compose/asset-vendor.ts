import { driverOf, type Provider } from '../adapters/providers/drivers.ts'
import type { AssetVendor } from '../app/assets/asset-vendor.ts'
import type { Config } from './config.ts'
import { composeOutside } from './outside.ts'
import { openEach } from './providers/open-each.ts'
import type { ProviderSet } from './providers/provider-set.ts'
import type { Tools } from './tools.ts'

interface AssetVendors {
  /** undefined: no provider is configured for assets. */
  readonly vendor: AssetVendor | undefined
  /** Address of the assets API that is used; empty: there is none. */
  readonly origins: readonly Pick<Provider, 'baseUrl' | 'isFromStore'>[]
  /** Opens the first provider that stores assets, with its own upstream. */
  replace(providers: readonly Provider[]): Promise<void>
  close(): Promise<void>
}

export function composeAssetVendor(input: {
  config: Config
  tools: Pick<Tools, 'clock' | 'log' | 'metrics'>
}): AssetVendors {
  const { config, tools } = input
  let keeper: Provider | undefined
  const vendors = openEach<AssetVendor>(async (provider) => {
    const { assets } = driverOf(provider)
    const endpoint = assets?.endpointOf(provider)
    if (assets === undefined || endpoint === undefined) return undefined
    const { openProvider } = await composeOutside(config, tools)
    const upstream = openProvider({ ...provider, name: `${provider.name} assets`, baseUrl: endpoint })
    const driver = await assets.open(provider, { upstream, clock: tools.clock })
    return { part: { provider: provider.name, driver, canDelete: assets.canDelete(provider) }, upstream }
  }, tools.clock)
  return {
    get vendor() {
      return keeper && vendors.find(keeper.name)
    },
    get origins() {
      const baseUrl = keeper && driverOf(keeper).assets?.endpointOf(keeper)
      return baseUrl === undefined ? [] : [{ ...keeper, baseUrl }]
    },
    async replace(providers) {
      const [next] = withAssets(providers)
      await vendors.replace(next === undefined ? [] : [next])
      keeper = next
    },
    close: vendors.close,
  }
}

/** Returns the name of the provider that stores assets, if it can delete its copies of erased assets. */
export function deletableProvidersOf({ serving }: Pick<ProviderSet, 'serving'>): string[] {
  const [keeper] = withAssets(serving)
  return keeper !== undefined && driverOf(keeper).assets?.canDelete(keeper) === true ? [keeper.name] : []
}

/** Returns the providers with an assets API. The first stores all assets, and the others are not used for assets. */
export function withAssets(providers: readonly Provider[]): Provider[] {
  return providers.filter((provider) => driverOf(provider).assets?.endpointOf(provider) !== undefined)
}
