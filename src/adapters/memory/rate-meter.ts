import {
  debtAt,
  hasRoom,
  type RateReading,
  REQUEST_DEBT,
  tighterOf,
} from '../../domain/limits/rate-bucket.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RateLimits, RateMeter, RateStanding } from '../../ports/rate-meter.ts'

interface Bucket {
  debt: number
  atUs: number
  perMinute: number
}

type NamedReading = RateReading & { name: string }

export interface MemoryRateMeter extends RateMeter {
  take(limits: RateLimits): RateStanding
  /** Number of stored buckets, which may include full ones that are not dropped yet. */
  size(): number
}

/** Rates of one process. Each new bucket drops the two oldest ones if they are full, and at `maxBuckets` one anyway. */
export function createMemoryRateMeter(tools: { clock: Clock; maxBuckets?: number }): MemoryRateMeter {
  const { clock, maxBuckets = 100_000 } = tools
  const buckets = new Map<string, Bucket>()

  return {
    size: () => buckets.size,
    take({ organizationId, keyId, keyPerMinute, organizationPerMinute }) {
      const nowUs = Math.floor(clock.monotonicMs() * 1_000)
      const readings: NamedReading[] = []
      // Keys and organizations can share one map, because the prefix of an id names its kind.
      if (keyPerMinute !== undefined) readings.push(read(keyId, keyPerMinute, nowUs))
      if (organizationPerMinute !== undefined)
        readings.push(read(organizationId, organizationPerMinute, nowUs))
      const allowed = readings.every(({ debt, perMinute }) => hasRoom(debt, perMinute))
      if (allowed) for (const reading of readings) take(reading, nowUs)
      return { allowed, ...tighterOf(readings, allowed) }
    },
  }

  function read(name: string, perMinute: number, nowUs: number): NamedReading {
    return { name, perMinute, debt: debtAt(buckets.get(name), perMinute, nowUs) }
  }

  function take(reading: NamedReading, nowUs: number): void {
    const { name, perMinute } = reading
    reading.debt += REQUEST_DEBT
    const bucket = buckets.get(name)
    if (bucket === undefined) {
      dropOldest(nowUs)
      buckets.set(name, { debt: reading.debt, atUs: nowUs, perMinute })
    } else {
      bucket.debt = reading.debt
      bucket.atUs = nowUs
      bucket.perMinute = perMinute
    }
  }

  /** Checks the two oldest buckets before a new one is added. Drops full ones, and at `maxBuckets` one in any case. */
  function dropOldest(nowUs: number): void {
    let checks = 2
    for (const [name, bucket] of buckets) {
      const isFull = debtAt(bucket, bucket.perMinute, nowUs) === 0
      buckets.delete(name)
      checks -= 1
      if (!isFull && (checks > 0 || buckets.size < maxBuckets - 1)) buckets.set(name, bucket)
      if (checks === 0) return
    }
  }
}
