import { type RateReading, tighterOf } from '../../domain/limits/rate-bucket.ts'
import type { DayBuckets } from '../../ports/day-buckets.ts'
import type { Log } from '../../ports/log.ts'
import type { RateLimits, RateMeter } from '../../ports/rate-meter.ts'
import { type CommandConnection, openCommandConnection } from './command-connection.ts'
import { createRedisDayBuckets } from './day-buckets.ts'
import { toScript } from './run-script.ts'

/**
 * Implements `domain/limits/rate-bucket.ts` with the clock of Redis.
 * KEYS: one bucket per limit, with the text "debt time". ARGV: requests per minute of each limit, in the same order.
 * Returns whether the request was counted, and then the debt of each bucket.
 */
const TAKE_RATE = `
local REQUEST_DEBT = 60000000
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local debts, allowed = {}, true

for index, bucket in ipairs(redis.call('MGET', unpack(KEYS))) do
  local limit = tonumber(ARGV[index])
  local debt, at = string.match(bucket or '', '^(%d+) (%d+)$')
  local paid = math.max(0, now - tonumber(at or now)) * limit
  debts[index] = math.min(math.max(0, tonumber(debt or 0) - paid), REQUEST_DEBT * limit)
  if debts[index] + REQUEST_DEBT > REQUEST_DEBT * limit then allowed = false end
end

local reply = { allowed and 1 or 0 }
for index, key in ipairs(KEYS) do
  local debt = debts[index] + (allowed and REQUEST_DEBT or 0)
  if debt > 0 then
    local fullAfter = math.ceil(debt / tonumber(ARGV[index]) / 1000)
    redis.call('SET', key, string.format('%.0f %.0f', debt, now), 'PX', fullAfter)
  end
  reply[index + 1] = string.format('%.0f', debt)
end
return reply
`

export interface RedisLimits {
  rateMeter: RateMeter
  dayBuckets: DayBuckets
  close(): Promise<void>
}

/** Opens the limits on their own connection, where no large cached value delays them. */
export async function openRedisLimits(options: { url: string; log: Log }): Promise<RedisLimits> {
  const commands = openCommandConnection(options)
  await commands.connected()
  return {
    rateMeter: createRedisRateMeter(commands),
    dayBuckets: createRedisDayBuckets(commands),
    close: () => commands.close(),
  }
}

const takeRate = toScript(TAKE_RATE)

/** Rates that replicas share. Both limits take one round trip and use the clock of Redis. */
function createRedisRateMeter(commands: CommandConnection): RateMeter {
  return {
    async take(limits) {
      const named = namesOf(limits)
      const reply = await commands.run((client) =>
        takeRate(client, {
          keys: named.map(({ key }) => key),
          arguments: named.map(({ perMinute }) => String(perMinute)),
        }),
      )
      const [counted, ...debts] = Array.isArray(reply) ? reply : []
      const allowed = counted === 1
      const readings: RateReading[] = named.map(({ perMinute }, index) => ({
        perMinute,
        debt: Number(debts[index]),
      }))
      return { allowed, ...tighterOf(readings, allowed) }
    },
  }
}

function namesOf({ organizationId, keyId, keyPerMinute, organizationPerMinute }: RateLimits) {
  const named: { key: string; perMinute: number }[] = []
  const ofOrganization = `sluice:{org:${organizationId}}:rate`
  if (keyPerMinute !== undefined)
    named.push({ key: `${ofOrganization}:key:${keyId}`, perMinute: keyPerMinute })
  if (organizationPerMinute !== undefined)
    named.push({ key: ofOrganization, perMinute: organizationPerMinute })
  return named
}
