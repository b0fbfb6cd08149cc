import type { Cache } from '../../ports/cache.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { createRecentValues } from './recent-values.ts'
import { createTopics } from './topics.ts'

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
