import type { Cache } from './cache.ts'

/** Store of kept replies: values with a lifetime, within the share of their organization, readable by every replica. */
export type KeptValues = Pick<Cache, 'get' | 'set' | 'delete' | 'deleteShare'>

/** Kept values as rows of the store, for a deployment without Redis. */
export interface KeptValueStore {
  find(query: { key: string; nowMs: number }): Promise<string | undefined>
  /** Rows of this share beyond `bytesMax` are dropped, those that expire first before the others. */
  keep(kept: KeptValue): Promise<void>
  remove(key: string): Promise<void>
  removeShare(name: string): Promise<void>
  /** Drops up to `limit` expired rows; returns their number. */
  dropExpired(pass: { nowMs: number; limit: number }): Promise<number>
}

export interface KeptValue {
  key: string
  value: string
  expiresAtMs: number
  /** undefined: it counts for no share. */
  share: { name: string; bytesMax: number } | undefined
}
