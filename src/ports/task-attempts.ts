import type { Micros } from '../domain/billing/micros.ts'
import type { AttemptState } from '../domain/video/hand-over.ts'
import type { VendorMeasures } from '../domain/video/snapshot.ts'

/** Columns of a task about its current attempt. Provider and ticket are columns of the task itself. */
export interface CurrentAttempt {
  /** Number of the current attempt, from 1. A move of another attempt has no effect. */
  attempt: number
  /** Time when the attempt was sent; null for the first one, which was sent with the task, and for a waiting one. */
  attemptAtMs: number | null
  servedModel: string
  standIns: readonly string[]
}

export interface HandOver {
  task: { id: string; attempt: number; provider: string; servedModel: string; encryptedTicket: string | null }
  sentAtMs: number
  ended: {
    state: 'refused' | 'failed'
    reason: string
    message: string | null
    vendorCostMicros: Micros | null
    measured?: VendorMeasures
  }
  next: {
    provider: string
    model: string
    standIns: readonly string[]
    noticeTokenDigest: string | null
    /** null: the attempt waits to be sent. */
    sentAtMs: number | null
    nextPollAtMs: number
  }
  atMs: number
}

export interface AttemptStart {
  id: string
  attempt: number
  sentAtMs: number
  noticeTokenDigest: string | null
  nextPollAtMs: number
}

export interface TaskAttempt {
  number: number
  provider: string
  model: string
  state: AttemptState
  /** null for the current attempt, whose ticket is that of the task, and for an attempt without a ticket. */
  encryptedTicket: string | null
  beganAtMs: number | null
  endedAtMs: number | null
  /** Reason of a refusal, code of the vendor's error, or `not_servable`; null: none of them. */
  reason: string | null
  message: string | null
  /** Billed cost, where the vendor reports it. */
  vendorCostMicros: Micros | null
}
