import type { AssetVendor } from '../app/assets/asset-vendor.ts'
import type { AssetParts } from './assets.ts'

interface ReplaceableAssets extends AssetParts {
  /** Composes the use cases again for another vendor. Running requests end with the old vendor. */
  useVendor(vendor: AssetVendor | undefined): Promise<void>
}

/** Holds the use cases of assets, whose vendor may change. */
export function replaceableAssets(
  compose: (vendor: AssetVendor | undefined) => AssetParts,
  first: AssetVendor | undefined,
): ReplaceableAssets {
  let vendor = first
  let parts = compose(first)
  return {
    async useVendor(next) {
      if (next === vendor) return
      const before = parts
      parts = compose(next)
      vendor = next
      await before.close()
    },
    useCases: {
      createAsset: (...command) => parts.useCases.createAsset(...command),
      getAsset: (...command) => parts.useCases.getAsset(...command),
      listAssets: (...command) => parts.useCases.listAssets(...command),
      startVerification: (...command) => parts.useCases.startVerification(...command),
      returnFromVerification: (...command) => parts.useCases.returnFromVerification(...command),
      consents: {
        show: (...command) => parts.useCases.consents.show(...command),
        revoke: (...command) => parts.useCases.consents.revoke(...command),
      },
    },
    resolver: { resolve: (...question) => parts.resolver.resolve(...question) },
    close: () => parts.close(),
  }
}
