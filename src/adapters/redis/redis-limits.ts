import { type RateReading, tighterOf } from '../../domain/limits/rate-bucket.ts'
import type { DayBuckets } from '../../ports/day-buckets.ts'
import type { Log } from '../../ports/log.ts'
import type { RateLimits, RateMeter } from '../../ports/rate-meter.ts'
import { type CommandConnection, openCommandConnection } from './command-connection.ts'
import { createRedisDayBuckets } from './day-buckets.ts'
import { toScript } from './run-script.ts'
import { TAKE_RATE } from './scripts/take-rate.ts'

export interface RedisLimits {
  rateMeter: RateMeter
  dayBuckets: DayBuckets
  close(): Promise<void>
}

/** A connection of their own: limits are asked on every request and must not queue behind large cached values. */
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

/** The rates that replicas share: both limits in one round trip, by the clock of Redis. */
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
