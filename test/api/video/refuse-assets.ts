import { ApiError } from '../../../src/domain/api-error.ts'
import type { AssetResolver } from '../../../src/ports/asset-store.ts'

/** Knows no asset, so none can be used. */
export const refuseAssets: AssetResolver = {
  async resolve({ references }) {
    const [first] = references
    if (first === undefined) return { urls: new Map(), groupIds: [] }
    throw new ApiError('asset_not_usable', { param: `content[${first.index}].${first.kind}_url.url` })
  },
}
