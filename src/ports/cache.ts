/** Lifetime of a value, and the share that it counts for. */
export interface ValueLife {
  ttlMs: number
  /** Left out: only the engine's own bound applies. */
  share?: CacheShare
}

/**
 * A bound on the bytes, as the engine counts them, of all values of a share: beyond it the oldest values are evicted. So the
 * values of one organization never evict those of another.
 */
export interface CacheShare {
  /** The engine also uses it as a key, so it has the `{...}` of its values' keys. */
  name: string
  bytesMax: number
}

/**
 * Values that may disappear at any moment, and messages for all replicas. Every method rejects while the engine is
 * unreachable: callers decide what to do without it.
 */
export interface Cache {
  get(key: string): Promise<string | undefined>
  /** A value that is larger than its share is not kept. */
  set(key: string, value: string, life: ValueLife): Promise<void>
  delete(key: string): Promise<void>
  deleteShare(name: string): Promise<void>
  /** Reaches the subscribers that are connected now, of every replica. A cluster may deliver late or out of order. */
  publish(topic: string, message: string): Promise<void>
  /** Returns the function that ends the subscription. Survives a reconnect of the engine. */
  subscribe(topic: string, listener: (message: string) => void): Promise<() => Promise<void>>
  ping(): Promise<void>
  close(): Promise<void>
}
