import type { Micros } from '../../domain/billing/micros.ts'
import type { UserLimitEntry } from '../../domain/limits/user-limit.ts'

/** What a user may spend on a day; undefined: what the balance allows. */
export type DailyLimit = { entry: UserLimitEntry; limitMicros: Micros } | undefined
