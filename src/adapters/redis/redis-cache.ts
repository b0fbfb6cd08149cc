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
 * Opens a cache that replicas share, also while Redis is unreachable: commands then reject until Redis is
 * back, and subscriptions take effect after the reconnect.
 */
export async function openRedisCache({ url, log, metrics }: RedisCacheOptions): Promise<Cache> {
  const commands = openCommandConnection({ url, log })
  const subscriber = openSubscriber({ url, log })
  metrics?.watchPool('redis', () => {
    const ready = [commands, subscriber].filter((connection) => connection.isReady()).length
    const busy = commands.pending() > 0 ? 1 : 0
    return { busy, idle: Math.max(0, ready - busy), waiting: commands.pending() }
  })
  await Promise.all([commands.connected(), subscriber.connected()])

  let closed = false
  return {
    get: (key) => commands.run(async (client) => (await client.get(key)) ?? undefined),
    set: async (key, value, { ttlMs, share }) => {
      const lifeMs = wholeMs(ttlMs)
      await commands.run((client): Promise<unknown> => {
        if (share === undefined) return client.set(key, value, { expiration: { type: 'PX', value: lifeMs } })
        // EVAL sends the text: EVALSHA may need a retry (NOSCRIPT), which could run after a later read.
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
      // Values are deleted in steps, so that the server can run other commands in between.
      for (let left: unknown = 1; left !== 0; )
        left = await commands.run((client): Promise<unknown> => client.eval(DELETE_FROM_SHARE, { keys }))
    },
    publish: async (topic, message) => {
      await commands.run((client) => client.publish(topic, message))
    },
    subscribe: async (topic, listener) => {
      if (closed) throw new Error('The cache is closed.')
      return subscriber.subscribe(topic, listener)
    },
    ping: async () => {
      await commands.run((client) => client.ping())
    },
    close: async () => {
      closed = true
      subscriber.close()
      await commands.close()
    },
  }
}

/** Rounds up, because Redis accepts only whole milliseconds of at least one. */
function wholeMs(ttlMs: number): number {
  if (!Number.isFinite(ttlMs)) throw new RangeError('ttlMs must be a number of milliseconds.')
  return Math.max(1, Math.ceil(ttlMs))
}

const RETRY_SUBSCRIBE_MS = 1_000

type MessageListener = (message: string) => void

/** Uses a second connection, so that commands and messages do not delay each other. */
function openSubscriber({ url, log }: { url: string; log: Log }) {
  const client = createRedisClient({ url, log, role: 'news' })
  const subscriptions = new Map<string, Set<{ listener: MessageListener }>>()
  let retry: NodeJS.Timeout | undefined

  const deliver = (message: string, topic: string) => {
    for (const { listener } of subscriptions.get(topic) ?? []) {
      try {
        listener(message)
      } catch (error) {
        log.error('cache.listener_failed', { engine: 'redis', error })
      }
    }
  }
  /** Subscribes to a topic, if not yet done. A failed subscription is repeated after a pause, or at the next connect. */
  const subscribeTo = async (topic: string) => {
    if (!client.isReady) return
    await withinTime(client.commands().subscribe(topic, deliver)).catch(() => {
      if (subscriptions.has(topic)) retry ??= setTimeout(subscribeToAll, RETRY_SUBSCRIBE_MS)
    })
  }
  const subscribeToAll = () => {
    retry = undefined
    for (const topic of subscriptions.keys()) void subscribeTo(topic)
  }
  client.onReady(subscribeToAll)
  return {
    /** Resolves when Redis has confirmed or failed, or took too long; immediately while Redis is unreachable. */
    subscribe: async (topic: string, listener: MessageListener) => {
      const subscription = { listener }
      const others = subscriptions.get(topic) ?? new Set()
      subscriptions.set(topic, others.add(subscription))
      await subscribeTo(topic)
      return async () => {
        others.delete(subscription)
        if (others.size > 0 || subscriptions.get(topic) !== others) return
        subscriptions.delete(topic)
        if (client.isReady) await withinTime(client.commands().unsubscribe(topic)).catch(() => {})
      }
    },
    /** Resolves when connected, or after a timeout. */
    connected: () => whenReady(client),
    isReady: () => client.isReady,
    close: () => {
      clearTimeout(retry)
      subscriptions.clear()
      client.destroy()
    },
  }
}

/**
 * Sets a value and keeps its share within its limit by deleting values that would expire first.
 * KEYS: the value, the share's index, the share's sum of bytes. ARGV: the value, its life in ms, the share's
 * limit in bytes. A member of the index is `<bytes> <key>`, and its score is the time at which the value
 * expires. The sum is computed again from the index when the server has evicted it.
 */
const SET_IN_SHARE = `
local key, index, sum = KEYS[1], KEYS[2], KEYS[3]
local value, life, bound = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
-- Memory of the server for a value and its index entry besides their bytes.
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

/** Deletes up to 500 values of a share and returns how many are left. KEYS: the share's index, its sum of bytes. */
const DELETE_FROM_SHARE = `
local popped = redis.call('ZPOPMIN', KEYS[1], 500)
for at = 1, #popped, 2 do redis.call('DEL', string.match(popped[at], '^%d+ (.*)$')) end
local left = redis.call('ZCARD', KEYS[1])
if left == 0 then redis.call('DEL', KEYS[2]) end
return left
`
