import { driverOf, type Provider } from '../adapters/providers/drivers.ts'
import type { AssetVendor } from '../app/assets/asset-vendor.ts'
import type { Config } from './config.ts'
import { composeOutside } from './outside.ts'
import type { Tools } from './tools.ts'

interface AssetVendorParts {
  /** undefined: no provider is configured for it. */
  vendor: AssetVendor | undefined
  endpoint: string
  close(): Promise<void>
}

/** The first provider that keeps assets, on a way out of its own. */
export async function composeAssetVendor({
  config,
  providers,
  tools,
}: {
  config: Config
  providers: readonly Provider[]
  tools: Pick<Tools, 'clock' | 'log' | 'metrics'>
}): Promise<AssetVendorParts> {
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

/** The providers whose copies of erased assets a running gateway removes. */
export function removersOf({ providers }: Pick<Config, 'providers'>): string[] {
  // The sandbox serves where no provider is configured, and it can.
  if (providers.length === 0) return ['vendorA']
  return providers.flatMap((provider) => {
    const { assets } = driverOf(provider)
    return assets?.canDelete(provider) === true ? [provider.name] : []
  })
}
