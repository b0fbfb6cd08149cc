import type { User } from '../access/organization.ts'
import type { Micros } from '../billing/micros.ts'
import { parseUsdMicros } from '../billing/usd.ts'

/** Cached limit of a user. In Redis both values are strings, as the contract requires. */
export interface UserLimitEntry {
  /** US dollars, decimal; `0` when none was ever set. */
  maxDailyUserLimit: string
  enableLimit: boolean
}

/** Change of the cache for a user's row: the four rules of the contract, in its order. */
export type UserSync =
  | { kind: 'entry-only'; entry: UserLimitEntry }
  | { kind: 'refuse' }
  | { kind: 'enforce'; entry: UserLimitEntry; limitMicros: Micros }
  | { kind: 'forget' }

export function decideUserSync(user: User | undefined): UserSync {
  if (user === undefined) return { kind: 'forget' }
  const entry = { maxDailyUserLimit: user.maxDailyUserLimit ?? '0', enableLimit: user.enableLimit }
  if (!user.enableLimit) return { kind: 'entry-only', entry }
  const limitMicros = parseUsdMicros(entry.maxDailyUserLimit)
  if (limitMicros === undefined || limitMicros <= 0) return { kind: 'refuse' }
  return { kind: 'enforce', entry, limitMicros }
}

export function isSameEntry(one: UserLimitEntry | undefined, other: UserLimitEntry | undefined): boolean {
  return one?.maxDailyUserLimit === other?.maxDailyUserLimit && one?.enableLimit === other?.enableLimit
}
