import { driverOf, type Provider } from '../adapters/providers/drivers.ts'
import type { AssetVendor } from '../app/assets/asset-vendor.ts'
import type { Config } from './config.ts'
import { composeOutside } from './outside.ts'
import type { Tools } from './tools.ts'

interface AssetVendorParts {
  /** undefined: no provider is configured for assets. */
  vendor: AssetVendor | undefined
  endpoint: string
  close(): Promise<void>
}

/** Opens the first provider that keeps assets, with its own upstream. */
export async function composeAssetVendor(input: {
  config: Config
  providers: readonly Provider[]
  tools: Pick<Tools, 'clock' | 'log' | 'metrics'>
}): Promise<AssetVendorParts> {
  const { config, providers, tools } = input
  for (const provider of providers) {
    const { assets } = driverOf(provider)
    const endpoint = assets?.endpointOf(provider)
    if (assets === undefined || endpoint === undefined) continue
    const { openProvider } = await composeOutside(config, tools)
    const upstream = openProvider({ name: `${provider.name} assets`, baseUrl: endpoint })
    const driver = await assets.open(provider, { upstream, clock: tools.clock })
    const vendor = { provider: provider.name, driver, canDelete: assets.canDelete(provider) }
    return { vendor, endpoint, close: () => upstream.close() }
  }
  return { vendor: undefined, endpoint: '', close: async () => {} }
}

/** Names of the providers that a running gateway can ask to delete their copies of erased assets. */
export function deletableProvidersOf({ providers }: Pick<Config, 'providers'>): string[] {
  // The sandbox serves where no provider is configured, and supports removal.
  if (providers.length === 0) return ['vendorA']
  return providers.flatMap((provider) => {
    const { assets } = driverOf(provider)
    return assets?.canDelete(provider) === true ? [provider.name] : []
  })
}
