/** How long a value lives, and from whose room it takes. */
export interface ValueLife {
  ttlMs: number
  /** Left out: the engine's own bound is the only one. */
  share?: Share
}

/**
 * A bound on the bytes, as the engine counts them, of all values that name the same share: beyond it the oldest of them
 * go. So the values of one organization never push out those of another.
 */
export interface Share {
  /** Also the name under which an engine keeps account of it, so with the same `{...}` as its keys. */
  name: string
  bytesMax: number
}

/**
 * Values that may vanish at any moment, and news for all replicas. Every method rejects while the engine is unreachable:
 * callers decide what to do without it.
 */
export interface Cache {
  get(key: string): Promise<string | undefined>
  /** A value that is larger than its share is not kept. */
  set(key: string, value: string, life: ValueLife): Promise<void>
  delete(key: string): Promise<void>
  /** All values that name this share go. */
  deleteShare(name: string): Promise<void>
  /**
   * Reaches the subscribers of every replica that are connected now; nothing is kept for later. A cluster may deliver it late,
   * or after one that was published later.
   */
  publish(topic: string, message: string): Promise<void>
  /** The returned function ends the subscription. Survives a reconnect of the engine. */
  subscribe(topic: string, listener: (message: string) => void): Promise<() => Promise<void>>
  ping(): Promise<void>
  close(): Promise<void>
}
