import type { AssetVendor } from '../app/assets/asset-vendor.ts'
import type { Config } from '../config/config.ts'
import type { Provider } from '../config/providers/provider.ts'
import { composeOutside } from './outside.ts'
import type { Tools } from './tools.ts'

/** The first provider that keeps assets, on a way out of its own. undefined: nobody configured one. */
export async function composeAssetVendor({
  config,
  providers,
  tools,
}: {
  config: Config
  providers: readonly Provider[]
  tools: Pick<Tools, 'clock' | 'log' | 'metrics'>
}): Promise<{ vendor: AssetVendor | undefined; close(): Promise<void> }> {
  for (const provider of providers) {
    if (provider.driver !== 'vendor-a' || provider.assets === undefined) continue
    const { endpoint, accessKey, secretKey, ...access } = provider.assets
    const { openProvider } = await composeOutside(config, tools)
    const { vendorAAssets } = await import('../adapters/providers/vendor-a-assets/driver.ts')
    const upstream = openProvider({ name: `${provider.name} assets`, baseUrl: endpoint })
    const service = vendorAAssets({
      ...access,
      upstream,
      endpoint,
      accessKey: () => accessKey.reveal(),
      secretKey: () => secretKey.reveal(),
      clock: tools.clock,
    })
    return { vendor: { provider: provider.name, service }, close: () => upstream.close() }
  }
  return { vendor: undefined, close: async () => {} }
}
