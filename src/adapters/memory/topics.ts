import type { Log } from '../../ports/log.ts'

type Listener = (message: string) => void

export interface Topics {
  publish(topic: string, message: string): void
  /** The returned function ends the subscription. */
  subscribe(topic: string, listener: Listener): () => void
  clear(): void
}

/** News inside one process. Delivered after the publisher went on, as over a network; one bad listener harms no other. */
export function createTopics({ log }: { log: Log }): Topics {
  const subscriptions = new Map<string, Set<{ listener: Listener }>>()
  const deliver = (topic: string, message: string) => {
    for (const { listener } of subscriptions.get(topic) ?? []) {
      try {
        listener(message)
      } catch (error) {
        log.error('a listener failed on a cache message', { engine: 'memory', error })
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
