import type { Micros } from '../billing/micros.ts'

export type Billing = 'prepaid' | 'postpaid'

/** Which replies are kept: `default` all but those to `store: false`, `asked` those to `store: true`. */
export const KEEP_REPLIES = ['default', 'asked'] as const
export type KeepReplies = (typeof KEEP_REPLIES)[number]

/** A customer: it owns users, keys, assets and one balance. */
export interface Organization {
  id: string
  name: string
  billing: Billing
  /** Includes what is held; what can be spent is `balanceMicros - heldMicros`. */
  balanceMicros: Micros
  heldMicros: Micros
  /** null: the deployment's own limit applies. */
  requestsPerMinute: number | null
  createdAtMs: number
  /** null: its keys may call. */
  disabledAtMs: number | null
  /** Where it is told of events, such as that a person took the consent back; null: nowhere. */
  eventsUrl: string | null
  /** null: as the deployment says. */
  keepReplies: KeepReplies | null
}

/** An erasure takes the name away, and no organization is made without one. */
export function isErased({ name }: Pick<Organization, 'name'>): boolean {
  return name === ''
}

/** A person or program of an organization; daily spending limits are set per user. */
export interface User {
  id: string
  organizationId: string
  name: string
  /** US dollars a calendar day, as a decimal string; null when none was ever set. */
  maxDailyUserLimit: string | null
  enableLimit: boolean
  createdAtMs: number
  /** null: the user's keys may call. */
  disabledAtMs: number | null
}

/** What an organization may spend in a calendar month, and what it has spent. */
export interface OrganizationBudget {
  organizationId: string
  month: string
  monthlyBudgetMicros: Micros | null
  warnPercent: number | null
  /** What was charged in this month. */
  usedMicros: Micros
  /** All open holds: they count as well. */
  heldMicros: Micros
}
