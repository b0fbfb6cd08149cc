import type { AssetReference } from '../domain/video/asset-references.ts'
import type { FamilyRow } from '../domain/video/families/family.ts'
import type { VideoRequest } from '../domain/video/request.ts'

/** Finds what the `asset://` items of a request stand for. */
export interface AssetResolver {
  /**
   * The URL that the provider understands, under the `index` of each reference. An asset that is unknown, another
   * organization's, not active or of another type rejects with `ApiError('asset_not_usable')` and the item's `param`;
   * so does the portrait of a real person in a request that may not show one. Without a configured asset service nothing
   * can be looked up: `provider_not_configured`.
   */
  resolve(question: {
    organizationId: string
    request: VideoRequest
    /** Of the model that is asked for. */
    family: FamilyRow
    /** Those of the request. */
    references: readonly AssetReference[]
    provider: string
  }): Promise<ReadonlyMap<number, string>>
}
