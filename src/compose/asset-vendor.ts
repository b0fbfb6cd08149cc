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
    return { vendor: { provider: provider.name, driver }, endpoint, close: () => upstream.close() }
  }
  return { vendor: undefined, endpoint: '', close: async () => {} }
}
