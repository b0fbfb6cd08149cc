import type { AssetQuery } from '../../domain/assets/asset-query.ts'
import { isFreshUrl, isUsableUrl } from '../../domain/assets/url-age.ts'
import type { AssetPageReading } from '../../ports/asset-driver.ts'
import type { StoredAsset, StoredGroup } from '../../ports/asset-store.ts'
import { withDeadline } from '../jobs/deadline.ts'
import type { ApplyAssetSnapshot } from './apply-asset-snapshot.ts'
import type { AssetVendor } from './asset-vendor.ts'
import { type SyncTools, syncAsset } from './sync-asset.ts'

export type RefreshPage = (page: {
  assets: readonly StoredAsset[]
  group: StoredGroup
  query: AssetQuery
}) => Promise<readonly StoredAsset[]>

const PATIENCE_MS = 5_000
const CONCURRENT_CALLS_MAX = 8

/** One page of the vendor has most links. The vendor sorts differently, so assets on its other pages are read one by one. */
export function refreshPage(tools: SyncTools): RefreshPage {
  const { vendor, applySnapshot, clock, log, patienceMs = PATIENCE_MS } = tools
  const sync = syncAsset({ ...tools, patienceMs })

  return async ({ assets, group, query }) => {
    const nowMs = clock.nowMs()
    const isOld = (asset: StoredAsset) => asset.status === 'active' && !isFreshUrl(asset, nowMs)
    const isDead = (asset: StoredAsset) => asset.status === 'active' && !isUsableUrl(asset, nowMs)
    if (!assets.some(isOld)) return assets
    if (vendor?.provider !== group.provider) return warnOfDead(assets, isDead, group)
    const patience = AbortSignal.timeout(patienceMs)
    const reading = await readPage(vendor, { group, query, patience })
    const seen = reading?.kind === 'page' ? await applyPage(assets, reading, isOld) : assets
    // A vendor that has just failed is called only for links that have expired.
    const isWanted = reading?.kind === 'page' ? isOld : isDead
    const synced = await syncOneByOne(seen, { isWanted, patience })
    return warnOfDead(synced, isDead, group)
  }

  async function readPage(
    { driver, provider }: AssetVendor,
    {
      group: { ticket, kind, organizationId },
      query,
      patience,
    }: { group: StoredGroup; query: AssetQuery; patience: AbortSignal },
  ): Promise<AssetPageReading | undefined> {
    const question = { ...query, organizationId, groupTickets: [ticket], groupKind: kind }
    try {
      return (await withDeadline(driver.listAssets(question), { signal: patience }))?.value
    } catch (error) {
      log.warn('asset.links_refresh_failed', { organizationId, provider, error })
      return undefined
    }
  }

  function applyPage(
    assets: readonly StoredAsset[],
    { snapshots }: Extract<AssetPageReading, { kind: 'page' }>,
    isOld: (asset: StoredAsset) => boolean,
  ): Promise<StoredAsset[]> {
    return Promise.all(
      assets.map((asset) => {
        const snapshot = snapshots.get(asset.ticket)
        return snapshot !== undefined && isOld(asset) ? applyOrKeep(asset, snapshot) : asset
      }),
    )
  }

  async function applyOrKeep(asset: StoredAsset, snapshot: Parameters<ApplyAssetSnapshot>[1]) {
    try {
      return await applySnapshot(asset, snapshot)
    } catch (error) {
      const { organizationId, provider } = asset
      log.warn('asset.link_store_failed', { organizationId, provider, error })
      return asset
    }
  }

  async function syncOneByOne(
    assets: readonly StoredAsset[],
    { isWanted, patience }: { isWanted: (asset: StoredAsset) => boolean; patience: AbortSignal },
  ): Promise<readonly StoredAsset[]> {
    const answered = [...assets]
    const open = [...assets.entries()].filter(([, asset]) => isWanted(asset)).values()
    const syncNext = async () => {
      for (const [place, asset] of open) {
        if (patience.aborted) return
        answered[place] = (await withDeadline(sync(asset), { signal: patience }))?.value ?? asset
      }
    }
    await Promise.all(Array.from({ length: CONCURRENT_CALLS_MAX }, syncNext))
    return answered
  }

  function warnOfDead(
    assets: readonly StoredAsset[],
    isDead: (asset: StoredAsset) => boolean,
    { organizationId, provider }: StoredGroup,
  ): readonly StoredAsset[] {
    const count = assets.filter(isDead).length
    const event = 'asset.links_expired'
    if (count > 0) log.warn(event, { organizationId, provider, count })
    return assets
  }
}
