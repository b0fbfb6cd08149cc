import type { Cache } from '../../ports/cache.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import { openCommandConnection } from './command-connection.ts'
import { openNewsConnection } from './news-connection.ts'
import { SET_IN_SHARE } from './scripts/set-in-share.ts'

interface RedisCacheOptions {
  url: string
  log: Log
  metrics?: Pick<Metrics, 'watchPool'>
}

/**
 * The cache that replicas share. Keys are used as given. Opening it never fails for Redis being away: commands reject
 * until it comes, within a fraction of a second of its coming, and subscriptions made meanwhile take effect then.
 */
export async function openRedisCache({ url, log, metrics }: RedisCacheOptions): Promise<Cache> {
  const commands = openCommandConnection({ url, log })
  const news = openNewsConnection({ url, log })
  metrics?.watchPool('redis', () => {
    const ready = [commands, news].filter((connection) => connection.isReady()).length
    const busy = commands.pending() > 0 ? 1 : 0
    return { busy, idle: Math.max(0, ready - busy), waiting: commands.pending() }
  })
  await Promise.all([commands.settled(), news.settled()])

  let closed = false
  return {
    get: (key) => commands.run(async (client) => (await client.get(key)) ?? undefined),
    set: async (key, value, { ttlMs, share }) => {
      const lifeMs = wholeMs(ttlMs)
      await commands.run((client): Promise<unknown> => {
        if (share === undefined) return client.set(key, value, { expiration: { type: 'PX', value: lifeMs } })
        // With its text each time: a script that the server has to be told first would be overtaken by a read.
        return client.eval(SET_IN_SHARE, {
          keys: [key, share.name, `${share.name}:bytes`],
          arguments: [value, String(lifeMs), String(share.bytesMax)],
        })
      })
    },
    delete: async (key) => {
      await commands.run((client) => client.del(key))
    },
    publish: async (topic, message) => {
      await commands.run((client) => client.publish(topic, message))
    },
    subscribe: async (topic, listener) => {
      if (closed) throw new Error('The cache is closed.')
      return news.subscribe(topic, listener)
    },
    ping: async () => {
      await commands.run((client) => client.ping())
    },
    close: async () => {
      closed = true
      news.close()
      await commands.close()
    },
  }
}

/** Redis takes whole milliseconds from one up. */
function wholeMs(ttlMs: number): number {
  if (!Number.isFinite(ttlMs)) throw new RangeError('ttlMs must be a number of milliseconds.')
  return Math.max(1, Math.ceil(ttlMs))
}
