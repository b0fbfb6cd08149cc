import type { Micros } from '../billing/micros.ts'
import type { KeepReplies } from './organization.ts'

/** A key as operators see it. The key itself is shown once, at creation; only its digest is kept. */
export interface ApiKey {
  id: string
  organizationId: string
  userId: string
  name: string
  /** The first characters of the key, enough to recognise it and too few to use it. */
  prefix: string
  /** null: the organization's or the deployment's limit applies. */
  requestsPerMinute: number | null
  createdAtMs: number
  revokedAtMs: number | null
  /** null: it works until it is revoked. */
  expiresAtMs: number | null
  /** The names of the models it may use; null: all. */
  allowedModels: readonly string[] | null
  /** What it may spend in a calendar month; null: as much as its organization. */
  monthlyBudgetMicros: Micros | null
}

/** What a key may spend in a calendar month, and what it has spent. */
export interface KeyBudget {
  keyId: string
  organizationId: string
  month: string
  monthlyBudgetMicros: Micros | null
  /** What was charged in this month; counted only while there is a budget. */
  usedMicros: Micros
  /** Its open holds: they count as well. */
  heldMicros: Micros
}

/** A caller as the store knows it: whether it may call now is decided at each request. */
export interface StoredCaller extends Caller {
  disabled: 'organization_disabled' | 'user_disabled' | null
  expiresAtMs: number | null
}

/** Who is calling: what an API key stands for once it has been checked. */
export interface Caller {
  keyId: string
  organizationId: string
  userId: string
  keyRequestsPerMinute: number | null
  organizationRequestsPerMinute: number | null
  /** Which replies its organization has kept; null: as the deployment says. */
  keepReplies: KeepReplies | null
  /** The names of the models its key may use; null: all. */
  allowedModels: readonly string[] | null
  /** Its key has a monthly budget of its own. */
  hasBudget: boolean
}
