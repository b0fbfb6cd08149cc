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
  firstPollAfterMs: number
}

/**
 * The vendor takes the asset, then its row is written. If the vendor's answer or the write is lost, the asset stays at the
 * vendor without an id for the client, and costs nothing. If its group was erased meanwhile, the vendor is asked to remove
 * the asset. If the vendor has no such call, a warning is logged.
 */
export function createAsset(tools: CreateAssetTools): CreateAsset {
  const { assets, newId, clock, log, firstPollAfterMs } = tools
  const groups = defaultGroup(tools)

  return async ({ request, caller: { organizationId } }) => {
    const vendor = demandVendor(tools.vendor)
    const group = await chooseGroup(vendor, request.groupId, organizationId)
    const { ticket, group: taken } = await upload(vendor, request, group)
    const createdAtMs = clock.nowMs()
    const asset: NewAsset = {
      id: newId('asset'),
      organizationId,
      groupId: taken.id,
      type: request.type,
      name: request.name ?? null,
      ticket,
      createdAtMs,
      nextPollAtMs: createdAtMs + firstPollAfterMs,
    }
    const { provider, canDelete } = vendor
    const vendorCopy = canDelete ? { provider, groupTicket: taken.ticket } : undefined
    if (await assets.create(asset, vendorCopy)) return { id: asset.id }
    if (!canDelete) log.warn('asset.copy_left', { provider, organizationId, reason: ticket })
    throw request.groupId === undefined ? new ApiError('organization_disabled') : unknownGroup()
  }

  async function chooseGroup(
    vendor: AssetVendor,
    id: string | undefined,
    organizationId: string,
  ): Promise<StoredGroup> {
    if (id === undefined) return groups.obtain(vendor, organizationId)
    const group = await assets.findGroup({ id, organizationId })
    if (group?.provider === vendor.provider) return group
    throw unknownGroup()
  }

  async function upload(
    vendor: AssetVendor,
    request: AssetRequest,
    group: StoredGroup,
  ): Promise<{ ticket: string; group: StoredGroup }> {
    const first = await send(vendor, request, group)
    if (first.kind === 'accepted') return { ticket: first.ticket, group }
    if (group.kind === 'person') {
      if (first.kind === 'group-gone' && (await assets.findGroup(group)) === undefined) throw unknownGroup()
      throw apiErrorOf(asFailure(first), { isAboutAPerson: true })
    }
    if (first.kind !== 'group-gone') throw apiErrorOf(first, { isAboutAPerson: false })
    const remade = await groups.replace(vendor, group)
    const second = await send(vendor, request, remade)
    if (second.kind === 'accepted') return { ticket: second.ticket, group: remade }
    throw apiErrorOf(asFailure(second), { isAboutAPerson: false })
  }
}

function unknownGroup(): ApiError {
  return new ApiError('group_id_error', { param: 'group_id' })
}

function send(
  { driver }: AssetVendor,
  { url, type, name }: AssetRequest,
  { organizationId, ticket }: StoredGroup,
): Promise<AssetCreation> {
  return orFailed(driver.createAsset({ organizationId, groupTicket: ticket, url, type, name }))
}

/** Treats a missing group as the vendor's failure: a person's group cannot be made again, and a default group was just made again. */
function asFailure(outcome: NotMade | { kind: 'group-gone' }): NotMade {
  if (outcome.kind !== 'group-gone') return outcome
  const cause = new Error('the vendor does not know the group')
  return { kind: 'failed', cause, retryAfterMs: undefined }
}
