import { ApiError } from '../../domain/api-error.ts'
import type { AssetType } from '../../domain/assets/asset.ts'
import { isUsableUrl } from '../../domain/assets/url-age.ts'
import type { AssetReference } from '../../domain/video/asset-references.ts'
import type { MediaKind } from '../../domain/video/request.ts'
import { realPeopleStayInReferenceImages } from '../../domain/video/rules/real-people-stay-in-reference-images.ts'
import { checkRules } from '../../domain/video/rules/rule.ts'
import type { AssetResolver, AssetStore, StoredAsset } from '../../ports/asset-store.ts'
import type { Runtime } from '../runtime.ts'
import { urlOf } from './asset-url.ts'
import { type AssetVendor, demandVendor } from './asset-vendor.ts'
import type { SyncAsset } from './sync-asset.ts'

/** The vendor that keeps an asset gets its ticket; any other vendor gets a link. */
export function resolveAssets(
  tools: Pick<Runtime, 'clock' | 'secrets'> & {
    vendor: AssetVendor | undefined
    assets: Pick<AssetStore, 'findAll'>
    sync: SyncAsset
  },
): AssetResolver {
  const { vendor, assets, sync, secrets, clock } = tools
  return {
    async resolve({ organizationId, request, family, references, provider }) {
      demandVendor(vendor)
      const ids = [...new Set(references.map(({ id }) => id))]
      const owned = await assets.findAll({ ids, organizationId })
      // An active asset of this provider needs only its ticket, which does not expire.
      const isUsable = (asset: StoredAsset) => asset.status === 'active' && asset.provider === provider
      const current = await Promise.all(owned.map((asset) => (isUsable(asset) ? asset : sync(asset))))
      const byId = new Map(current.map((asset) => [asset.id, asset]))
      const used = references.map((reference) => ({
        reference,
        asset: demandUsable(byId.get(reference.id), reference),
      }))
      const people = used.filter(({ asset }) => asset.groupKind === 'person')
      const [person] = people
      if (person !== undefined) {
        checkRules([realPeopleStayInReferenceImages], {
          request,
          family,
          personIndex: person.reference.index,
        })
      }
      return {
        urls: new Map(used.map(({ reference, asset }) => [reference.index, addressOf(asset, provider)])),
        groupIds: [...new Set(people.map(({ asset }) => asset.groupId))],
      }
    },
  }

  function addressOf(asset: StoredAsset, provider: string): string {
    if (asset.provider === provider) return `asset://${asset.ticket}`
    const url = urlOf(asset, secrets)
    if (url !== undefined && isUsableUrl(asset, clock.nowMs())) return url
    const cause = new Error('the vendor gave no fresh link to an asset')
    throw new ApiError('provider_unavailable', { message: 'The asset service is not available.', cause })
  }
}

const TYPES: Readonly<Record<MediaKind, AssetType>> = { image: 'Image', video: 'Video', audio: 'Audio' }

/** The message is equal for an asset that does not exist and for an asset of another organization. */
function demandUsable(asset: StoredAsset | undefined, { kind, index }: AssetReference): StoredAsset {
  const param = `content[${index}].${kind}_url.url`
  const refuse = (message: string) => new ApiError('asset_not_usable', { param, message })
  if (asset === undefined) throw refuse('Your organization has no such asset.')
  if (asset.type !== TYPES[kind]) throw refuse(`The asset is of the type ${asset.type}, not ${TYPES[kind]}.`)
  if (asset.status !== 'active') throw refuse(`The asset is ${asset.status}. Only an active one can be used.`)
  return asset
}
