import type { Cache } from '../../ports/cache.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { createRecentValues } from './recent-values.ts'

/** Cache of a single process, of bounded size, with values and messages for this process only. */
export function createMemoryCache(options: { clock: Clock; maxBytes: number; log: Log }): Cache {
  const values = createRecentValues(options)
  const topics = createTopics(options)
  let closed = false
  /** Behaves like the Redis engine: asynchronous, and rejects after it was closed. */
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

type TopicListener = (message: string) => void

interface Topics {
  publish(topic: string, message: string): void
  /** Returns a function that ends the subscription. */
  subscribe(topic: string, listener: TopicListener): () => void
  clear(): void
}

/** Delivers messages inside one process, asynchronously. A listener that throws affects no other. */
function createTopics({ log }: { log: Log }): Topics {
  const subscriptions = new Map<string, Set<{ listener: TopicListener }>>()
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
