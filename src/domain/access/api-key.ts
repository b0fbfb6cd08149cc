import type { Micros } from '../billing/micros.ts'
import type { KeepReplies, RecordBodies } from './organization.ts'

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
  /** Spending limit in a calendar month; null: no limit beside its organization's. */
  monthlyBudgetMicros: Micros | null
}

/** Budget of a key for a calendar month, and its spending. */
export interface KeyBudget {
  keyId: string
  organizationId: string
  month: string
  monthlyBudgetMicros: Micros | null
  /** Charges of this month; counted only while there is a budget. */
  usedMicros: Micros
  /** Open holds of the key, which count as well. */
  heldMicros: Micros
}

/** A caller in the store: whether it may call now is decided at each request. */
export interface StoredCaller extends Caller {
  disabled: 'organization_disabled' | 'user_disabled' | null
  expiresAtMs: number | null
}

/** The caller behind a checked API key. */
export interface Caller {
  keyId: string
  organizationId: string
  userId: string
  keyRequestsPerMinute: number | null
  organizationRequestsPerMinute: number | null
  /** Which replies its organization keeps; null: the deployment's default. */
  keepReplies: KeepReplies | null
  /** Requests of its organization whose bodies are recorded; left out: none. */
  recordBodies?: Exclude<RecordBodies, 'off'>
  /** The names of the models its key may use; null: all. */
  allowedModels: readonly string[] | null
  /** Whether its key has a monthly budget of its own. */
  hasBudget: boolean
}
