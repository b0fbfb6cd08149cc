import type { DayBuckets } from '../../ports/day-buckets.ts'
import type { Log } from '../../ports/log.ts'
import type { RateMeter } from '../../ports/rate-meter.ts'
import { openCommandConnection } from './command-connection.ts'
import { createRedisDayBuckets } from './day-buckets.ts'
import { createRedisRateMeter } from './rate-meter.ts'

export interface RedisLimits {
  rateMeter: RateMeter
  dayBuckets: DayBuckets
  close(): Promise<void>
}

/** A connection of their own: limits are asked on every request and must not queue behind large cached values. */
export async function openRedisLimits(options: { url: string; log: Log }): Promise<RedisLimits> {
  const commands = openCommandConnection(options)
  await commands.settled()
  return {
    rateMeter: createRedisRateMeter(commands),
    dayBuckets: createRedisDayBuckets(commands),
    close: () => commands.close(),
  }
}
