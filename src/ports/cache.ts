export interface ValueLife {
  ttlMs: number
  /** Left out: only the engine's own bound applies. */
  share?: CacheShare
}

/** Bounds the bytes of a share: a full share evicts its own values. A full engine may evict values of any share. */
export interface CacheShare {
  /** Also a key of the engine, so the name has the same Redis hash tag `{...}` as the keys of its values. */
  name: string
  bytesMax: number
}

/** Values that may disappear, and messages for all replicas. Methods reject while the engine is unreachable. */
export interface Cache {
  get(key: string): Promise<string | undefined>
  /** Drops a value that is larger than its share. */
  set(key: string, value: string, life: ValueLife): Promise<void>
  delete(key: string): Promise<void>
  deleteShare(name: string): Promise<void>
  /** Reaches the connected subscribers of every replica. A cluster may deliver late or out of order. */
  publish(topic: string, message: string): Promise<void>
  /** Returns a function that ends the subscription. The subscription survives a reconnect of the engine. */
  subscribe(topic: string, listener: (message: string) => void): Promise<() => Promise<void>>
  ping(): Promise<void>
  close(): Promise<void>
}
