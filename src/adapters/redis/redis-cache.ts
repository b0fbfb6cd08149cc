import type { Cache } from '../../ports/cache.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import { openCommandConnection } from './command-connection.ts'
import { createRedisClient } from './create-client.ts'
import { whenReady } from './redis-client.ts'
import { withinTime } from './within-time.ts'

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
  await Promise.all([commands.connected(), news.connected()])

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
    deleteShare: async (name) => {
      const keys = [name, `${name}:bytes`]
      // In steps, so that the server serves others between them.
      for (let left: unknown = 1; left !== 0; )
        left = await commands.run((client): Promise<unknown> => client.eval(DELETE_FROM_SHARE, { keys }))
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

type Listener = (message: string) => void

interface NewsConnection {
  /** Resolves when Redis has confirmed it, or at once while Redis is unreachable: then it takes effect after the reconnect. */
  subscribe(topic: string, listener: Listener): Promise<() => Promise<void>>
  /** Resolves when connected, or after a while without. */
  connected(): Promise<void>
  isReady(): boolean
  close(): void
}

/** A second connection, because a slow command must not hold up news, nor news a command. */
function openNewsConnection({ url, log }: { url: string; log: Log }): NewsConnection {
  const client = createRedisClient({ url, log, role: 'news' })
  const subscriptions = new Map<string, Set<{ listener: Listener }>>()

  const deliver = (message: string, topic: string) => {
    for (const { listener } of subscriptions.get(topic) ?? []) {
      try {
        listener(message)
      } catch (error) {
        log.error('cache.listener_failed', { engine: 'redis', error })
      }
    }
  }
  /** Asking twice for the same topic is harmless; what fails is asked for again at the next connect. */
  const ask = (topic: string) => whileReady(client.isReady, () => client.commands().subscribe(topic, deliver))
  client.onReady(() => {
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
        await whileReady(client.isReady, () => client.commands().unsubscribe(topic))
      }
    },
    connected: () => whenReady(client),
    isReady: () => client.isReady,
    close: () => {
      subscriptions.clear()
      client.destroy()
    },
  }
}

async function whileReady(isReady: boolean, command: () => Promise<unknown>): Promise<void> {
  if (isReady) await withinTime(command()).catch(() => {})
}

/**
 * Sets a value and keeps its share within its bound: the values that would end first go.
 *
 * KEYS: the value, the share's index, the share's sum of bytes. ARGV: the value, its life in ms, the share's bound in bytes.
 * A member of the index is `<bytes> <key>`, its score the moment when the value ends. The sum is counted again from the
 * index when the server has evicted it.
 */
const SET_IN_SHARE = `
local key, index, sum = KEYS[1], KEYS[2], KEYS[3]
local value, life, bound = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
-- What the server keeps for a value and its place in the index besides their bytes.
local OVERHEAD = 200
local function bytes_of(length) return #key + length + OVERHEAD end
local function bytes_in(member) return tonumber(string.match(member, '^%d+')) end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local total = tonumber(redis.call('GET', sum) or '')
if redis.call('EXISTS', index) == 0 then
  total = 0
elseif total == nil then
  total = 0
  for _, member in ipairs(redis.call('ZRANGE', index, 0, -1)) do total = total + bytes_in(member) end
end

local old = redis.call('STRLEN', key)
if old > 0 and redis.call('ZREM', index, bytes_of(old) .. ' ' .. key) == 1 then
  total = total - bytes_of(old)
end
for _, member in ipairs(redis.call('ZRANGEBYSCORE', index, '-inf', now, 'LIMIT', 0, 1000)) do
  redis.call('ZREM', index, member)
  total = total - bytes_in(member)
end

local bytes = bytes_of(#value)
if bytes > bound then
  redis.call('DEL', key)
else
  while total + bytes > bound do
    local oldest = redis.call('ZPOPMIN', index)[1]
    if oldest == nil then
      total = 0
      break
    end
    redis.call('DEL', string.match(oldest, '^%d+ (.*)$'))
    total = total - bytes_in(oldest)
  end
  redis.call('SET', key, value, 'PX', life)
  redis.call('ZADD', index, now + life, bytes .. ' ' .. key)
  total = total + bytes
end
local left = math.max(life, redis.call('PTTL', index))
redis.call('PEXPIRE', index, left)
redis.call('SET', sum, total, 'PX', left)
`

/**
 * Deletes up to 500 values of a share; how many are left.
 *
 * KEYS: the share's index, the share's sum of bytes.
 */
const DELETE_FROM_SHARE = `
local popped = redis.call('ZPOPMIN', KEYS[1], 500)
for at = 1, #popped, 2 do redis.call('DEL', string.match(popped[at], '^%d+ (.*)$')) end
local left = redis.call('ZCARD', KEYS[1])
if left == 0 then redis.call('DEL', KEYS[2]) end
return left
`
