import { randomUUID } from 'node:crypto'
import { micros } from '../../domain/billing/micros.ts'
import { BUILD_MS_MAX } from '../../domain/limits/bucket-expiry.ts'
import { isCalendarDay } from '../../domain/limits/calendar-day.ts'
import type { UserLimitEntry } from '../../domain/limits/user-limit.ts'
import type { DayBuckets, LimitChange, NewBucket, Reservation, UserDay } from '../../ports/day-buckets.ts'
import type { CommandConnection } from './command-connection.ts'
import { toScript } from './run-script.ts'
import {
  APPLY_DAY,
  BUILD_DAY,
  ENFORCE_LIMIT,
  LOOK_AT_USER,
  RESERVE_DAY,
  WRITE_LIMIT,
} from './scripts/day-limits.ts'

const SCRIPTS = {
  apply: toScript(APPLY_DAY),
  build: toScript(BUILD_DAY),
  enforce: toScript(ENFORCE_LIMIT),
  look: toScript(LOOK_AT_USER),
  reserve: toScript(RESERVE_DAY),
  write: toScript(WRITE_LIMIT),
}

/** Day buckets that replicas share. Every change is one script or one `DEL`, and happens wholly or not at all. */
export function createRedisDayBuckets(commands: CommandConnection): DayBuckets {
  const run = (script: keyof typeof SCRIPTS, keys: string[], values: string[]) =>
    commands.run((client) => SCRIPTS[script](client, { keys, arguments: values }))

  return {
    reserve: async (day, amountMicros) =>
      readReservation(
        await run('reserve', keysOfDay(day), [String(amountMicros), randomUUID(), String(BUILD_MS_MAX)]),
      ),
    build: async (userId, bucket) =>
      (await run('build', keysOfDay({ userId, day: bucket.day }), [
        bucket.life,
        JSON.stringify(toJson(bucket)),
      ])) === 1,
    apply: async (day, { reserved, deltaMicros, version, isReportedByAll = false }) =>
      (await run('apply', keysOfDay(day), [
        reserved?.life ?? '',
        String(reserved?.amountMicros ?? 0),
        String(deltaMicros),
        String(version ?? ''),
        isReportedByAll ? '1' : '',
      ])) === 1,
    readLimit: async (userId) => {
      const names = ['max_daily_user_limit', 'enable_limit']
      try {
        const [max, enable] = await commands.run((client) => client.hmGet(keysOfUser(userId).limit, names))
        return readEntry(max, enable)
      } catch (error) {
        // The key has another type; the next write replaces it.
        if (error instanceof Error && error.message.startsWith('WRONGTYPE')) return undefined
        throw error
      }
    },
    look: async (userId, days) => {
      const keys = days.flatMap((day) => keysOfDay({ userId, day }))
      const newLives = days.map(() => randomUUID())
      const lives = await run('look', keys, [String(BUILD_MS_MAX), ...newLives])
      return Array.isArray(lives) ? lives.map(String) : []
    },
    writeLimit: async (userId, { seen, entry }) => {
      const { max, enable } = entryJson(entry)
      const seenJson = JSON.stringify(seen === undefined ? null : entryJson(seen))
      return (await run('write', [keysOfUser(userId).limit], [seenJson, max, enable])) === 1
    },
    enforceLimit: async (userId, change) => {
      const given = change.buckets.map(({ day }) => day)
      const others = (await otherDaysOf(userId, change)).filter((day) => !given.includes(day))
      const days = [...given, ...others].flatMap((day) => keysOfDay({ userId, day }))
      const keys = [keysOfUser(userId).limit, ...days]
      return (await run('enforce', keys, [JSON.stringify(changeJson(change, others))])) === 1
    },
    forgetUser: async (userId) => {
      const names = keysOfUser(userId)
      const own = names.ownOf(await commands.scanKeys(names.pattern))
      if (own.length > 0) await commands.run((client) => client.del(own))
    },
    drop: async (day) => {
      await commands.run((client) => client.del(keysOfDay(day)))
    },
  }

  async function otherDaysOf(userId: string, { otherDays }: LimitChange): Promise<readonly string[]> {
    if (otherDays !== 'all') return otherDays
    const names = keysOfUser(userId)
    return names.daysOf(await commands.scanKeys(names.pattern))
  }
}

function keysOfDay({ userId, day }: UserDay): string[] {
  const names = keysOfUser(userId)
  return [names.day(day), names.built(day)]
}

function readReservation(reply: unknown): Reservation {
  const [kind, first, second] = Array.isArray(reply) ? reply : []
  if (kind === 'reserved') return { kind, life: String(first) }
  if (kind === 'over') return { kind, limitMicros: micros(Number(first)), usedMicros: micros(Number(second)) }
  if (kind === 'absent') return { kind, life: String(first) }
  throw new Error('Redis sent an unexpected reply to a reservation.')
}

function readEntry(max: unknown, enable: unknown): UserLimitEntry | undefined {
  return typeof max === 'string' ? { maxDailyUserLimit: max, enableLimit: enable === 'true' } : undefined
}

/** Sends figures as strings, because Redis scripts shorten JSON numbers to 14 digits. */
function toJson({ limitMicros, stored, expiresAtMs, life }: NewBucket) {
  return {
    life,
    nextLife: randomUUID(),
    limit: String(limitMicros),
    used: String(stored.usedMicros),
    version: String(stored.version),
    expiresAt: String(Math.ceil(expiresAtMs)),
  }
}

function entryJson({ maxDailyUserLimit, enableLimit }: UserLimitEntry) {
  return { max: maxDailyUserLimit, enable: String(enableLimit) }
}

function changeJson(change: LimitChange, others: readonly string[]) {
  return {
    seen: change.seen === undefined ? null : entryJson(change.seen),
    entry: entryJson(change.entry),
    limit: String(change.limitMicros),
    recount: change.recount,
    given: change.buckets.map(toJson),
    others: others.map((day) => String(Math.ceil(change.expiresAtMs(day)))),
  }
}

/** Returns the names of one user's keys; the braces keep them on one node of a cluster. */
export function keysOfUser(userId: string) {
  const prefix = `sluice:{user:${userId}}:`
  const [dayPrefix, builtPrefix] = [`${prefix}day:`, `${prefix}built:`]
  return {
    limit: `${prefix}limit`,
    /** Key of a bucket, whose fields are `limit` and `used`. */
    day: (day: string) => `${dayPrefix}${day}`,
    /** Key of the record of a bucket: its life, its first version, and the newest change. */
    built: (day: string) => `${builtPrefix}${day}`,
    // A star in an id must not match keys of other users.
    pattern: `${prefix.replace(/[*?[\]\\^-]/g, '\\$&')}*`,
    daysOf: (keys: readonly string[]) =>
      keys
        .filter((key) => key.startsWith(dayPrefix))
        .map((key) => key.slice(dayPrefix.length))
        .filter(isCalendarDay),
    /** Returns only the keys of the user's limit and days. */
    ownOf: (keys: readonly string[]) =>
      keys.filter(
        (key) => key === `${prefix}limit` || key.startsWith(dayPrefix) || key.startsWith(builtPrefix),
      ),
  }
}
