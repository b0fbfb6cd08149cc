import type { Micros } from '../domain/billing/micros.ts'
import type { AttemptState } from '../domain/video/hand-over.ts'
import type { Measured } from '../domain/video/snapshot.ts'

/** What a task knows of its current attempt, besides its provider and its ticket. */
export interface CurrentAttempt {
  /** The number of the current attempt, from 1. A move that names another one changes nothing. */
  attempt: number
  /** When it was sent; null for the first, which was sent with the task, and for one that waits to be sent. */
  attemptAtMs: number | null
  /** The model of the current attempt: the asked one, or one that stepped in. */
  servedModel: string
  /** The models that may step in next, in this order. */
  standIns: readonly string[]
}

/** How the current attempt of a task ends, and which one is next. */
export interface HandOver {
  task: {
    id: string
    attempt: number
    provider: string
    servedModel: string
    encryptedTicket: string | null
  }
  /** When the attempt that ends was sent. */
  sentAtMs: number
  ended: {
    state: 'refused' | 'failed'
    reason: string
    message: string | null
    vendorCostMicros: Micros | null
    /** What the vendor measured of an attempt that it failed. */
    measured?: Measured
  }
  next: {
    provider: string
    model: string
    /** Those that are left after it. */
    standIns: readonly string[]
    noticeTokenDigest: string | null
    /** null: it waits to be sent. */
    sentAtMs: number | null
    nextPollAtMs: number
  }
  atMs: number
}

/** An attempt that waited is sent next, by the caller that this is stored for. */
export interface AttemptStart {
  id: string
  attempt: number
  sentAtMs: number
  noticeTokenDigest: string | null
  nextPollAtMs: number
}

/** One attempt at a task, for an operator. */
export interface TaskAttempt {
  number: number
  provider: string
  model: string
  state: AttemptState
  /** null for the current attempt: its ticket is that of the task. */
  encryptedTicket: string | null
  beganAtMs: number | null
  endedAtMs: number | null
  /** Why it ended: a reason of the vendor, or the code of its error. */
  reason: string | null
  message: string | null
  /** What the vendor billed, where it says so. */
  vendorCostMicros: Micros | null
}
