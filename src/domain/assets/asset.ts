/**
 * The life of an asset.
 *
 *   processing -> active
 *        \------> failed
 *
 * It is `processing` as soon as the vendor has taken it, and the vendor's checks bring it to one of two ends,
 * which it never leaves. Only an `active` asset can be used.
 */
export const ASSET_STATUSES = ['processing', 'active', 'failed'] as const

export type AssetStatus = (typeof ASSET_STATUSES)[number]

/** From where a word on an asset moves it. */
export const ASSET_MOVES_FROM = {
  processing: [],
  active: ['processing'],
  failed: ['processing'],
} as const satisfies Record<AssetStatus, readonly AssetStatus[]>

/** Upper and lower case count, for clients and for the vendor. */
export const ASSET_TYPES = ['Image', 'Video', 'Audio'] as const

export type AssetType = (typeof ASSET_TYPES)[number]

/** What a vendor's word for a status means; a word we do not know yet is still at work. */
export function assetStatusOf(word: string): AssetStatus {
  return ASSET_STATUSES.find((status) => status === word.toLowerCase()) ?? 'processing'
}

/** An organization's own set of assets, or the portraits of one verified person. */
export type AssetGroupKind = 'default' | 'person'

/** Wider than the ids we make; beyond it nothing can be one, and the store need not be asked. */
const ID = /^[\w-]{1,64}$/

export function couldBeAssetId(text: string): boolean {
  return ID.test(text)
}

/** What a vendor said about an asset at one moment, in our terms. */
export interface AssetSnapshot {
  status: AssetStatus
  /** Where the processed media can be fetched for about 12 hours; signed, so a secret. Only when active. */
  url: string | undefined
  /** Only when failed. */
  error: AssetError | undefined
}

export interface AssetError {
  code: string
  message: string
}
