import type { Cache } from '../../ports/cache.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { createRecentValues } from './recent-values.ts'

/** The cache of a single process: bounded, gone with it, and reaching only its own subscribers. */
export function createMemoryCache(options: { clock: Clock; maxBytes: number; log: Log }): Cache {
  const values = createRecentValues(options)
  const topics = createTopics(options)
  let closed = false
  /** The other engine is asynchronous and can be closed; callers must not come to depend on less. */
  const whenOpen = async <T>(act: () => T): Promise<T> => {
    if (closed) throw new Error('The cache is closed.')
    return act()
  }
  return {
    get: (key) => whenOpen(() => values.get(key)),
    set: (key, value, life) => whenOpen(() => values.set(key, value, life)),
    delete: (key) => whenOpen(() => values.delete(key)),
    deleteShare: (name) => whenOpen(() => values.deleteShare(name)),
    publish: (topic, message) => whenOpen(() => topics.publish(topic, message)),
    subscribe: (topic, listener) =>
      whenOpen(() => {
        const end = topics.subscribe(topic, listener)
        return async () => end()
      }),
    ping: () => whenOpen(() => {}),
    close: async () => {
      closed = true
      values.clear()
      topics.clear()
    },
  }
}

type Listener = (message: string) => void

interface Topics {
  publish(topic: string, message: string): void
  /** The returned function ends the subscription. */
  subscribe(topic: string, listener: Listener): () => void
  clear(): void
}

/** News inside one process. Delivered after the publisher went on, as over a network; one bad listener harms no other. */
function createTopics({ log }: { log: Log }): Topics {
  const subscriptions = new Map<string, Set<{ listener: Listener }>>()
  const deliver = (topic: string, message: string) => {
    for (const { listener } of subscriptions.get(topic) ?? []) {
      try {
        listener(message)
      } catch (error) {
        log.error('cache.listener_failed', { engine: 'memory', error })
      }
    }
  }
  return {
    publish: (topic, message) => queueMicrotask(() => deliver(topic, message)),
    subscribe: (topic, listener) => {
      const subscription = { listener }
      const others = subscriptions.get(topic) ?? new Set()
      subscriptions.set(topic, others.add(subscription))
      return () => {
        others.delete(subscription)
        if (others.size === 0 && subscriptions.get(topic) === others) subscriptions.delete(topic)
      }
    },
    clear: () => subscriptions.clear(),
  }
}
