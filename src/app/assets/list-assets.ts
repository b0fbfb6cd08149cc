import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { AssetQuery } from '../../domain/assets/asset-query.ts'
import type { AssetView } from '../../domain/assets/asset-view.ts'
import type { AssetStore, StoredAsset, StoredGroup } from '../../ports/asset-store.ts'
import type { OwnLinks } from '../media/own-links.ts'
import type { Runtime } from '../runtime.ts'
import { viewAsset } from './asset-url.ts'
import { type AssetVendor, demandVendor } from './asset-vendor.ts'
import type { RefreshPage } from './refresh-page.ts'

export interface AssetViewPage {
  assets: AssetView[]
  totalCount: number
}

export type ListAssets = (question: { query: AssetQuery; caller: Caller }) => Promise<AssetViewPage>

/** An unknown group, or another organization's group, is an error, not an empty list. */
export function listAssets(
  tools: Pick<Runtime, 'clock' | 'secrets'> & {
    vendor: AssetVendor | undefined
    assets: Pick<AssetStore, 'list' | 'findGroup' | 'findDefaultGroup'>
    refresh: RefreshPage
    /** Left out: no files are kept. */
    links?: OwnLinks | undefined
  },
): ListAssets {
  const { vendor, assets, refresh, links, secrets, clock } = tools
  return async ({ query, caller: { organizationId } }) => {
    const { provider } = demandVendor(vendor)
    const group = await findGroup(provider, query.groupId, organizationId)
    const page = await assets.list({ ...query, organizationId, groupId: group?.id })
    const kept = await links?.(page.assets.map(({ id }) => id))
    const isKept = ({ id }: StoredAsset) => kept?.has(id) === true
    const needed = page.assets.filter((asset) => !isKept(asset))
    const fresh = group === undefined ? needed : await refresh({ assets: needed, group, query })
    const rest = fresh.values()
    const nowMs = clock.nowMs()
    const views = page.assets.map((asset) => {
      const current = isKept(asset) ? asset : (rest.next().value ?? asset)
      return viewAsset(current, secrets, nowMs, kept?.get(asset.id)?.url)
    })
    return { assets: views, totalCount: page.totalCount }
  }

  async function findGroup(
    provider: string,
    id: string | undefined,
    organizationId: string,
  ): Promise<StoredGroup | undefined> {
    if (id === undefined) return assets.findDefaultGroup({ organizationId, provider })
    const group = await assets.findGroup({ id, organizationId })
    if (group === undefined) throw new ApiError('group_id_error', { param: 'group_id' })
    return group
  }
}
