import { createMemoryDayBuckets } from '../../src/adapters/memory/day-buckets.ts'
import { createMemoryRateMeter } from '../../src/adapters/memory/rate-meter.ts'
import { createRecentValues } from '../../src/adapters/memory/recent-values.ts'
import type { LimitEngines } from '../../src/compose/engines.ts'
import type { Cache } from '../../src/ports/cache.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Owner, World } from '../kernel/world.ts'
import type { Gate } from './gate.ts'

const BYTES_MAX = 1024 * 1024
const NEWS_MS_MAX = 30

/** The engine that replaces Redis for the replicas: values, messages and limits, which may all vanish. */
export interface SimCache {
  openFor(owner: Owner, gate: Gate): { cache: Cache; limits: LimitEngines }
  /** Removes everything. */
  flush(): void
}

interface Subscription {
  owner: Owner
  topic: string
  listener(message: string): void
}

export function createSimCache(world: World): SimCache {
  const clock: Clock = { nowMs: () => world.wallMs, monotonicMs: () => world.nowMs }
  const random = world.random.branch('news')
  const open = () => ({
    values: createRecentValues({ clock, maxBytes: BYTES_MAX }),
    days: createMemoryDayBuckets({ clock }),
    rates: createMemoryRateMeter({ clock }),
  })
  let engine = open()
  const subscriptions = new Set<Subscription>()

  /** A replica does not get a message that arrives while the cache is unreachable. */
  function publish(topic: string, message: string, gate: Gate): void {
    for (const subscription of subscriptions)
      if (subscription.topic === topic && subscription.owner.isAlive)
        world.after(random.whole(0, NEWS_MS_MAX), subscription.owner, `news ${topic}`, () => {
          if (gate.isUp) subscription.listener(message)
        })
  }

  return {
    flush() {
      engine = open()
    },
    openFor(owner, gate) {
      const ask = <T>(name: string, act: () => T | Promise<T>) => gate.call(owner, name, async () => act())
      return {
        cache: {
          get: (key) => ask('get', () => engine.values.get(key)),
          set: (key, value, life) => ask('set', () => engine.values.set(key, value, life)),
          delete: (key) => ask('delete', () => engine.values.delete(key)),
          deleteShare: (name) => ask('deleteShare', () => engine.values.deleteShare(name)),
          publish: (topic, message) => ask('publish', () => publish(topic, message, gate)),
          async subscribe(topic, listener) {
            const subscription = { owner, topic, listener }
            subscriptions.add(subscription)
            return async () => void subscriptions.delete(subscription)
          },
          ping: () => ask('ping', () => {}),
          close: async () => {},
        },
        limits: {
          rateMeter: { take: (limits) => ask('take', () => engine.rates.take(limits)) },
          dayBuckets: {
            reserve: (day, amount) => ask('reserve', () => engine.days.reserve(day, amount)),
            build: (userId, bucket) => ask('build', () => engine.days.build(userId, bucket)),
            apply: (day, change) => ask('apply', () => engine.days.apply(day, change)),
            readLimit: (userId) => ask('readLimit', () => engine.days.readLimit(userId)),
            look: (userId, days) => ask('look', () => engine.days.look(userId, days)),
            writeLimit: (userId, change) => ask('writeLimit', () => engine.days.writeLimit(userId, change)),
            enforceLimit: (userId, change) =>
              ask('enforceLimit', () => engine.days.enforceLimit(userId, change)),
            forgetUser: (userId) => ask('forgetUser', () => engine.days.forgetUser(userId)),
            drop: (day) => ask('drop', () => engine.days.drop(day)),
          },
          close: async () => {},
        },
      }
    },
  }
}
