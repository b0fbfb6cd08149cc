import type { AssetStatus } from './asset.ts'

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
