import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { AssetRequest } from '../../domain/assets/asset-view.ts'
import type { AssetCreation, NotMade } from '../../ports/asset-driver.ts'
import type { AssetStore, NewAsset, StoredGroup } from '../../ports/asset-store.ts'
import { type AssetVendor, apiErrorOf, demandVendor, orFailed } from './asset-vendor.ts'
import { type DefaultGroupTools, defaultGroup } from './default-group.ts'

/** The new asset is `processing`. */
export type CreateAsset = (command: { request: AssetRequest; caller: Caller }) => Promise<{ id: string }>

export interface CreateAssetTools extends DefaultGroupTools {
  vendor: AssetVendor | undefined
  assets: Pick<AssetStore, 'create' | 'findGroup'> & DefaultGroupTools['assets']
  /** When the sweep asks for it first. */
  firstPollAfterMs: number
}

/**
 * The vendor takes it, then its row is written. When the answer or the row is lost, the client has no id for it, and it
 * costs nothing.
 */
export function createAsset(tools: CreateAssetTools): CreateAsset {
  const { assets, newId, clock, firstPollAfterMs } = tools
  const groups = defaultGroup(tools)

  return async ({ request, caller: { organizationId } }) => {
    const vendor = demandVendor(tools.vendor)
    const group = await chooseGroup(vendor, request.groupId, organizationId)
    const { ticket, groupId } = await upload(vendor, request, group)
    const createdAtMs = clock.nowMs()
    const asset: NewAsset = {
      id: newId('asset'),
      organizationId,
      groupId,
      type: request.type,
      name: request.name ?? null,
      ticket,
      createdAtMs,
      nextPollAtMs: createdAtMs + firstPollAfterMs,
    }
    await assets.create(asset)
    return { id: asset.id }
  }

  async function chooseGroup(
    vendor: AssetVendor,
    id: string | undefined,
    organizationId: string,
  ): Promise<StoredGroup> {
    if (id === undefined) return groups.obtain(vendor, organizationId)
    const group = await assets.findGroup({ id, organizationId })
    if (group?.provider === vendor.provider) return group
    throw new ApiError('group_id_error', { param: 'group_id' })
  }

  async function upload(
    vendor: AssetVendor,
    request: AssetRequest,
    group: StoredGroup,
  ): Promise<{ ticket: string; groupId: string }> {
    const first = await send(vendor, request, group)
    if (first.kind === 'accepted') return { ticket: first.ticket, groupId: group.id }
    if (group.kind === 'person') throw apiErrorOf(asFailure(first), { isAboutAPerson: true })
    if (first.kind !== 'group-gone') throw apiErrorOf(first, { isAboutAPerson: false })
    const remade = await groups.replace(vendor, group)
    const second = await send(vendor, request, remade)
    if (second.kind === 'accepted') return { ticket: second.ticket, groupId: remade.id }
    throw apiErrorOf(asFailure(second), { isAboutAPerson: false })
  }
}

function send(
  { driver }: AssetVendor,
  { url, type, name }: AssetRequest,
  { organizationId, ticket }: StoredGroup,
): Promise<AssetCreation> {
  return orFailed(driver.createAsset({ organizationId, groupTicket: ticket, url, type, name }))
}

/** A group that is gone for good: a person's cannot be made again, and a new one should not vanish at once. */
function asFailure(outcome: NotMade | { kind: 'group-gone' }): NotMade {
  if (outcome.kind !== 'group-gone') return outcome
  const cause = new Error('the vendor does not know the group')
  return { kind: 'failed', cause, retryAfterMs: undefined }
}
