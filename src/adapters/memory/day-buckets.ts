import { randomUUID } from 'node:crypto'
import { type Micros, micros } from '../../domain/billing/micros.ts'
import { BUILD_MS_MAX } from '../../domain/limits/bucket-expiry.ts'
import { isSameEntry, type UserLimitEntry } from '../../domain/limits/user-limit.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DayBuckets, LimitChange, NewBucket, StoredChange } from '../../ports/day-buckets.ts'

interface DayLife {
  life: string
  /** Version of the newest change that was applied, or that the store had when the bucket was built. */
  seenVersion: number
  expiresAtMs: number
  /** undefined until the bucket is built. */
  bucket: MemoryBucket | undefined
}

interface MemoryBucket {
  limitMicros: Micros
  usedMicros: Micros
  builtVersion: number
  /** Versions of counted changes that every replica reports; each of these counts once. */
  reported: Set<number>
}

interface UserState {
  entry: UserLimitEntry | undefined
  days: Map<string, DayLife>
}

/** Day buckets of one process, for at most `maxUsers` users. Dropped buckets are built again from the store. */
export function createMemoryDayBuckets(tools: {
  clock: Clock
  maxUsers?: number
}): DayBuckets & { size(): number } {
  const { clock, maxUsers = 100_000 } = tools
  const users = new Map<string, UserState>()

  return {
    size: () => users.size,
    reserve({ userId, day }, amountMicros) {
      const { life, bucket } = findOrAnnounce(userId, day)
      if (bucket === undefined) return { kind: 'absent', life }
      const { limitMicros, usedMicros } = bucket
      if (usedMicros + amountMicros > limitMicros) return { kind: 'over', limitMicros, usedMicros }
      bucket.usedMicros = micros(usedMicros + amountMicros)
      return { kind: 'reserved', life }
    },
    async build(userId, wanted) {
      const found = find(userId, wanted.day)
      if (found?.bucket !== undefined) return true
      if (found === undefined || isTooOld(found, wanted)) return false
      fill(found, wanted)
      return true
    },
    async apply({ userId, day }, change) {
      const found = find(userId, day)
      if (found === undefined) return false
      const { bucket } = found
      if (bucket !== undefined && !isAlreadyReported(bucket, change))
        bucket.usedMicros = micros(bucket.usedMicros + differenceOf(found.life, bucket.builtVersion, change))
      found.seenVersion = Math.max(found.seenVersion, change.version ?? 0)
      return bucket !== undefined
    },
    readLimit: async (userId) => users.get(userId)?.entry,
    look: async (userId, days) => days.map((day) => findOrAnnounce(userId, day).life),
    async writeLimit(userId, { seen, entry }) {
      if (!isSameEntry(users.get(userId)?.entry, seen)) return false
      touch(userId).entry = entry
      return true
    },
    async enforceLimit(userId, change) {
      const fills = planFills(userId, change)
      if (fills === undefined) return false
      const user = touch(userId)
      user.entry = change.entry
      for (const [day, found] of user.days) {
        if (found.bucket === undefined || !isAffected(day, change)) continue
        found.bucket.limitMicros = change.limitMicros
        found.expiresAtMs = change.expiresAtMs(day)
      }
      for (const { found, wanted } of fills) fill(found, wanted)
      return true
    },
    async forgetUser(userId) {
      users.delete(userId)
    },
    async drop({ userId, day }) {
      users.get(userId)?.days.delete(day)
    },
  }

  /** Returns the buckets to fill; undefined when one of them was read too early, or the user's entry has changed since. */
  function planFills(
    userId: string,
    change: LimitChange,
  ): { found: DayLife; wanted: NewBucket }[] | undefined {
    if (!isSameEntry(users.get(userId)?.entry, change.seen)) return undefined
    const fills: { found: DayLife; wanted: NewBucket }[] = []
    for (const wanted of change.buckets) {
      const found = find(userId, wanted.day)
      if (found?.bucket !== undefined && !change.recount) continue
      if (found === undefined || isTooOld(found, wanted)) return undefined
      fills.push({ found, wanted })
    }
    return fills
  }

  function find(userId: string, day: string): DayLife | undefined {
    const days = users.get(userId)?.days
    const found = days?.get(day)
    if (found === undefined || found.expiresAtMs > clock.nowMs()) return found
    days?.delete(day)
    return undefined
  }

  function findOrAnnounce(userId: string, day: string): DayLife {
    const found = find(userId, day)
    if (found !== undefined) return found
    const announced = {
      life: randomUUID(),
      seenVersion: 0,
      expiresAtMs: clock.nowMs() + BUILD_MS_MAX,
      bucket: undefined,
    }
    touch(userId).days.set(day, announced)
    return announced
  }

  function touch(userId: string): UserState {
    const user = users.get(userId) ?? { entry: undefined, days: new Map() }
    users.delete(userId)
    users.set(userId, user)
    for (const [day, { expiresAtMs }] of user.days) if (expiresAtMs <= clock.nowMs()) user.days.delete(day)
    for (const oldest of users.keys()) {
      if (users.size <= maxUsers) break
      users.delete(oldest)
    }
    return user
  }
}

function isAffected(day: string, { buckets, otherDays }: LimitChange): boolean {
  return otherDays === 'all' || otherDays.includes(day) || buckets.some((given) => given.day === day)
}

function isTooOld(found: DayLife, { life, stored }: NewBucket): boolean {
  return found.life !== life || found.seenVersion > stored.version
}

/** Fills a day; a replaced bucket starts a new life. */
function fill(found: DayLife, { limitMicros, stored, expiresAtMs }: NewBucket): void {
  if (found.bucket !== undefined) found.life = randomUUID()
  found.bucket = {
    limitMicros,
    usedMicros: stored.usedMicros,
    builtVersion: stored.version,
    reported: new Set(),
  }
  found.seenVersion = stored.version
  found.expiresAtMs = expiresAtMs
}

function isAlreadyReported(
  { reported }: MemoryBucket,
  { version, isReportedByAll = false }: StoredChange,
): boolean {
  if (!isReportedByAll || version === undefined) return false
  const isAgain = reported.has(version)
  reported.add(version)
  return isAgain
}

function differenceOf(life: string, builtVersion: number, input: StoredChange): number {
  const { reserved, deltaMicros, version } = input
  const written = version === undefined ? 0 : deltaMicros
  if (reserved?.life === life) return written - reserved.amountMicros
  return version !== undefined && version > builtVersion ? written : 0
}
