/**
 * The life of an asset.
 *
 *   processing -> active
 *        \------> failed
 *
 * An asset is `processing` once the vendor has taken it, until the vendor's checks end in one of the final states. Only an
 * `active` asset can be used.
 */
export const ASSET_STATUSES = ['processing', 'active', 'failed'] as const

export type AssetStatus = (typeof ASSET_STATUSES)[number]

/** States from which a snapshot moves an asset to the key's state. */
export const ASSET_MOVES_FROM = {
  processing: [],
  active: ['processing'],
  failed: ['processing'],
} as const satisfies Record<AssetStatus, readonly AssetStatus[]>

/** The case of letters counts, for clients and for the vendor. */
export const ASSET_TYPES = ['Image', 'Video', 'Audio'] as const

export type AssetType = (typeof ASSET_TYPES)[number]

/** Reads a vendor's status; an unknown one counts as processing. */
export function assetStatusOf(status: string): AssetStatus {
  return ASSET_STATUSES.find((known) => known === status.toLowerCase()) ?? 'processing'
}

/** A group is an organization's own set of assets, or the portraits of one verified person. */
export type AssetGroupKind = 'default' | 'person'

/** Every id of the gateway matches; other texts need no query. */
const ID = /^[\w-]{1,64}$/

export function couldBeAssetId(text: string): boolean {
  return ID.test(text)
}

export interface AssetSnapshot {
  status: AssetStatus
  /** Signed, and so secret, address of an active asset's media, valid for about 12 hours. */
  url: string | undefined
  /** Set only when failed. */
  error: AssetError | undefined
}

export interface AssetError {
  code: string
  message: string
}
