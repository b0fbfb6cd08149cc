import type { Cache } from './cache.ts'

/** Where replies are kept: values that live for a while, within the room of their organization, readable by every replica. */
export type KeptValues = Pick<Cache, 'get' | 'set' | 'delete' | 'deleteShare'>

/** The same as rows of the store, for a deployment without Redis. */
export interface KeptValueStore {
  find(query: { key: string; nowMs: number }): Promise<string | undefined>
  /** Rows of the same share beyond `bytesMax` go, those that end first before the others. */
  keep(kept: KeptValue): Promise<void>
  remove(key: string): Promise<void>
  removeShare(name: string): Promise<void>
  /** Drops up to `limit` rows that are over; returns how many. */
  dropExpired(pass: { nowMs: number; limit: number }): Promise<number>
}

export interface KeptValue {
  key: string
  value: string
  expiresAtMs: number
  /** undefined: it takes from no share. */
  share: { name: string; bytesMax: number } | undefined
}
