import type { Log } from '../../ports/log.ts'
import { createRedisClient, whenReady } from './redis-client.ts'
import { withinTime } from './within-time.ts'

type Listener = (message: string) => void

export interface NewsConnection {
  /** Resolves when Redis has confirmed it, or at once while Redis is away: then it takes effect when Redis is back. */
  subscribe(topic: string, listener: Listener): Promise<() => Promise<void>>
  /** Resolves when connected, or after a while without. */
  settled(): Promise<void>
  isReady(): boolean
  close(): void
}

/** A second connection, because a slow command must not hold up news, nor news a command. */
export function openNewsConnection({ url, log }: { url: string; log: Log }): NewsConnection {
  const client = createRedisClient({ url, log, role: 'news' })
  const subscriptions = new Map<string, Set<{ listener: Listener }>>()

  const deliver = (message: string, topic: string) => {
    for (const { listener } of subscriptions.get(topic) ?? []) {
      try {
        listener(message)
      } catch (error) {
        log.error('a listener failed on a cache message', { engine: 'redis', error })
      }
    }
  }
  /** Asking twice for the same topic is harmless; what fails is asked for again at the next connect. */
  const ask = (topic: string) => settle(client.isReady, () => client.subscribe(topic, deliver))
  client.on('ready', () => {
    for (const topic of subscriptions.keys()) void ask(topic)
  })
  return {
    subscribe: async (topic, listener) => {
      const subscription = { listener }
      const others = subscriptions.get(topic) ?? new Set()
      subscriptions.set(topic, others.add(subscription))
      await ask(topic)
      return async () => {
        others.delete(subscription)
        if (others.size > 0 || subscriptions.get(topic) !== others) return
        subscriptions.delete(topic)
        await settle(client.isReady, () => client.unsubscribe(topic, deliver))
      }
    },
    settled: () => whenReady(client),
    isReady: () => client.isReady,
    close: () => {
      subscriptions.clear()
      client.destroy()
    },
  }
}

async function settle(isReady: boolean, command: () => Promise<unknown>): Promise<void> {
  if (isReady) await withinTime(command()).catch(() => {})
}
