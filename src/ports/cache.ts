/**
 * Values that may vanish at any moment, and news for all replicas. Every method rejects while the engine is away:
 * callers decide what to do without it.
 */
export interface Cache {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, life: { ttlMs: number }): Promise<void>
  /** True when the key was absent and is now set. */
  setIfAbsent(key: string, value: string, life: { ttlMs: number }): Promise<boolean>
  delete(key: string): Promise<void>
  /** Reaches the subscribers of every replica that are connected now; nothing is kept for later. */
  publish(topic: string, message: string): Promise<void>
  /** The returned function ends the subscription. Survives a reconnect of the engine. */
  subscribe(topic: string, listener: (message: string) => void): Promise<() => Promise<void>>
  ping(): Promise<void>
  close(): Promise<void>
}
