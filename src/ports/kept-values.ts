import type { Cache } from './cache.ts'

/** Store of kept replies: values with a lifetime, counted for their organization, which every replica can read. */
export type KeptValues = Pick<Cache, 'get' | 'set' | 'delete' | 'deleteShare'>

/** Kept values as rows of the store, for a deployment without Redis. */
export interface KeptValueStore {
  find(query: { key: string; nowMs: number }): Promise<string | undefined>
  /** When the share has more than `bytesMax` bytes, its rows that expire first are dropped. */
  keep(kept: KeptValue): Promise<void>
  remove(key: string): Promise<void>
  removeShare(name: string): Promise<void>
  dropExpired(pass: { nowMs: number; limit: number }): Promise<number>
}

export interface KeptValue {
  key: string
  value: string
  expiresAtMs: number
  /** undefined: the value counts for no share. */
  share: { name: string; bytesMax: number } | undefined
}
