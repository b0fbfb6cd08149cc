import type { Micros } from '../billing/micros.ts'
import type { KeepReplies, RecordBodies } from './organization.ts'

/** A key as operators see it. The key itself is shown once, at creation, and only its digest is stored. */
export interface ApiKey {
  id: string
  organizationId: string
  userId: string
  name: string
  /** The first characters of the key, enough to recognise it and too few to use it. */
  prefix: string
  /** null: the limit of the organization or of the deployment applies. */
  requestsPerMinute: number | null
  createdAtMs: number
  revokedAtMs: number | null
  /** null: the key works until it is revoked. */
  expiresAtMs: number | null
  /** Names of the models that the key may use; null: all. */
  allowedModels: readonly string[] | null
  /** Spending limit in a calendar month; null: only the organization's budget applies. */
  monthlyBudgetMicros: Micros | null
}

export interface KeyBudget {
  keyId: string
  organizationId: string
  month: string
  monthlyBudgetMicros: Micros | null
  /** Charges of this month; counted only while the key has a budget. */
  usedMicros: Micros
  /** Open holds of the key, which count against the budget too. */
  heldMicros: Micros
}

/** A caller as stored. Each request decides whether the caller may call now. */
export interface StoredCaller extends Caller {
  disabled: 'organization_disabled' | 'user_disabled' | null
  expiresAtMs: number | null
}

export interface Caller {
  keyId: string
  organizationId: string
  userId: string
  keyRequestsPerMinute: number | null
  organizationRequestsPerMinute: number | null
  /** Replies that the organization keeps; null: the deployment's default. */
  keepReplies: KeepReplies | null
  /** Requests of the organization whose bodies are recorded; left out: none. */
  recordBodies?: Exclude<RecordBodies, 'off'>
  /** Names of the models that the key may use; null: all. */
  allowedModels: readonly string[] | null
  hasBudget: boolean
}
