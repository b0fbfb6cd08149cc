import type { ApiError } from '../domain/api-error.ts'
import type { VideoOrder } from '../domain/video/families/families.ts'
import type { RefusalReason } from '../domain/video/hand-over.ts'
import type { Snapshot } from '../domain/video/snapshot.ts'

/** The vendor's word on a create call. Only after `refused` is it certain that nothing was made. */
export type Submission =
  | { kind: 'accepted'; ticket: string; snapshot: Snapshot | undefined }
  /**
   * The vendor refused, or was certainly never reached. The error is what the client is told. `reason` is given only
   * where it is the vendor's own: another vendor may take the same order.
   */
  | { kind: 'refused'; apiError: ApiError; reason?: RefusalReason | undefined }
  /** No answer came, or none that means anything: the vendor may have made it. */
  | { kind: 'lost'; cause: unknown }

export type Reading =
  | { kind: 'snapshot'; snapshot: Snapshot }
  /** The vendor no longer knows the ticket. */
  | { kind: 'gone' }
  /** No answer that says anything about the task: a failed poll is not a failed task. */
  | { kind: 'unanswered'; cause: unknown; retryAfterMs: number | undefined }

export type Deletion = { kind: 'deleted' } | { kind: 'refused' } | { kind: 'unanswered'; cause: unknown }

/**
 * The code for one vendor's API. It never repeats a call that may have been taken. Every call says for which organization
 * it is made: what is shared towards a vendor has a share for each.
 */
export interface VideoDriver {
  create(order: {
    organizationId: string
    order: VideoOrder
    /** Seconds the vendor may take in all. */
    expiresAfterSeconds: number
    /** Where the vendor may send notices; undefined: nowhere. */
    noticeUrl: string | undefined
  }): Promise<Submission>
  read(ticket: string, organizationId: string): Promise<Reading>
  /** Absent where the vendor has no such call. */
  delete?(ticket: string, organizationId: string): Promise<Deletion>
}
