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
  /** Buckets that are not full. */
  size(): number
}

/**
 * The rates of a single process. A bucket that is full again says nothing and is dropped; beyond `maxBuckets` the oldest
 * goes, in its owner's favour.
 */
export function createMemoryRateMeter({
  clock,
  maxBuckets = 100_000,
}: {
  clock: Clock
  maxBuckets?: number
}): MemoryRateMeter {
  const buckets = new Map<string, Bucket>()

  return {
    size: () => buckets.size,
    take({ organizationId, keyId, keyPerMinute, organizationPerMinute }) {
      const nowUs = Math.floor(clock.monotonicMs() * 1_000)
      const readings: NamedReading[] = []
      // An id says by its first letters whose it is, so that both kinds can stand in one map.
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

  /** Two looks for each new bucket keep up with any flood; one that is still in use goes to the end of the line. */
  function dropOldest(nowUs: number): void {
    let looks = 2
    for (const [name, bucket] of buckets) {
      const isFull = debtAt(bucket, bucket.perMinute, nowUs) === 0
      buckets.delete(name)
      looks -= 1
      if (!isFull && (looks > 0 || buckets.size < maxBuckets - 1)) buckets.set(name, bucket)
      if (looks === 0) return
    }
  }
}
