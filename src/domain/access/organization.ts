import type { Micros } from '../billing/micros.ts'
import type { CallbackRetries } from '../callbacks/callback-retry.ts'

export type Billing = 'prepaid' | 'postpaid'

/** `default` keeps all replies except those to `store: false`; `asked` keeps only those to `store: true`. */
export const KEEP_REPLIES = ['default', 'asked'] as const
export type KeepReplies = (typeof KEEP_REPLIES)[number]

/** Requests whose bodies are recorded; `errors` records those that failed. */
export const RECORD_BODIES = ['off', 'errors', 'all'] as const
export type RecordBodies = (typeof RECORD_BODIES)[number]
/** Whether finished videos are copied, where the deployment copies any. */
export const KEEP_MEDIA = ['on', 'off'] as const
export type KeepMedia = (typeof KEEP_MEDIA)[number]

/** A customer: it owns users, keys, assets and one balance. */
export interface Organization {
  id: string
  name: string
  billing: Billing
  /** Includes held money; the organization can spend `balanceMicros - heldMicros`. */
  balanceMicros: Micros
  heldMicros: Micros
  /** null: the deployment's limit applies. */
  requestsPerMinute: number | null
  createdAtMs: number
  /** null: its keys may call. */
  disabledAtMs: number | null
  /** Receiver of events, such as a revoked consent; null: none. */
  eventsUrl: string | null
  /** null: the deployment's default. */
  keepReplies: KeepReplies | null
  callbackRetries: CallbackRetries
  recordBodies: RecordBodies
  /** null means `on`. */
  keepMedia: KeepMedia | null
  /** Threshold of the event `balance.low`; null: none. */
  lowBalanceMicros: Micros | null
}

/** Only an erasure makes the name empty. */
export function isErased({ name }: Pick<Organization, 'name'>): boolean {
  return name === ''
}

/** A person or program of an organization. Daily spending limits are set per user. */
export interface User {
  id: string
  organizationId: string
  name: string
  /** US dollars a calendar day, as a decimal string; null: none was ever set. */
  maxDailyUserLimit: string | null
  enableLimit: boolean
  createdAtMs: number
  /** null: the user's keys may call. */
  disabledAtMs: number | null
}

export interface OrganizationBudget {
  organizationId: string
  month: string
  monthlyBudgetMicros: Micros | null
  warnPercent: number | null
  usedMicros: Micros
  /** Open holds, which count against the budget too. */
  heldMicros: Micros
}
