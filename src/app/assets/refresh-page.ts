import type { AssetQuery } from '../../domain/assets/asset-query.ts'
import { isFreshUrl } from '../../domain/assets/url-age.ts'
import type { AssetPageReading } from '../../ports/asset-service.ts'
import type { StoredAsset, StoredGroup } from '../../ports/asset-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { settledFirst } from '../video/settled-first.ts'
import type { AssetVendor } from './asset-vendor.ts'
import type { TakeInAsset } from './take-in-asset.ts'

/** Gives the active assets of a page fresh links where theirs are old, with one call at most. */
export type RefreshPage = (page: {
  assets: readonly StoredAsset[]
  group: StoredGroup
  query: AssetQuery
}) => Promise<readonly StoredAsset[]>

const PATIENCE_MS = 5_000

/** What the vendor does not say in time, or counts on another page than we do, stays as it is stored. */
export function refreshPage({
  vendor,
  takeIn,
  clock,
  log,
  patienceMs = PATIENCE_MS,
}: {
  vendor: AssetVendor | undefined
  takeIn: TakeInAsset
  clock: Clock
  log: Log
  patienceMs?: number
}): RefreshPage {
  return async ({ assets, group, query }) => {
    const nowMs = clock.nowMs()
    const isOld = (asset: StoredAsset) => asset.status === 'active' && !isFreshUrl(asset, nowMs)
    if (vendor?.provider !== group.provider || !assets.some(isOld)) return assets
    const reading = await read(vendor, group, query)
    if (reading?.kind !== 'page') return assets
    return Promise.all(
      assets.map((asset) => {
        const snapshot = reading.snapshots.get(asset.ticket)
        return snapshot !== undefined && isOld(asset) ? takeInOrKeep(asset, snapshot) : asset
      }),
    )
  }

  async function read(
    { service, provider }: AssetVendor,
    { ticket, kind, organizationId }: StoredGroup,
    query: AssetQuery,
  ): Promise<AssetPageReading | undefined> {
    const question = { ...query, groupTickets: [ticket], groupKind: kind }
    try {
      return await settledFirst(service.listAssets(question), AbortSignal.timeout(patienceMs))
    } catch (error) {
      log.warn('the links of a page could not be refreshed', { organizationId, provider, error })
      return undefined
    }
  }

  async function takeInOrKeep(asset: StoredAsset, snapshot: Parameters<TakeInAsset>[1]) {
    try {
      return await takeIn(asset, snapshot)
    } catch (error) {
      const { organizationId, provider } = asset
      log.warn('a fresh link could not be stored', { organizationId, provider, error })
      return asset
    }
  }
}
