import type { ApiError } from '../domain/api-error.ts'
import type { VideoOrder } from '../domain/video/families/families.ts'
import type { RefusalReason } from '../domain/video/hand-over.ts'
import type { Snapshot } from '../domain/video/snapshot.ts'

/** The vendor's answer to a create call. Only after `refused` is it certain that the vendor made nothing. */
export type Submission =
  | { kind: 'accepted'; ticket: string; snapshot: Snapshot | undefined }
  /**
   * The vendor refused, or was certainly never reached. The error is for the client. `reason` is set only when another
   * vendor may take the order, because the cause is this vendor or the connection to it and not the order.
   */
  | { kind: 'refused'; apiError: ApiError; reason?: RefusalReason | undefined }
  /** No usable answer came: the vendor may have made the task. */
  | { kind: 'lost'; cause: unknown }

export type Reading =
  | { kind: 'snapshot'; snapshot: Snapshot }
  | { kind: 'gone' }
  /** The answer says nothing about the task: a failed poll is not a failed task. */
  | { kind: 'unanswered'; cause: unknown; retryAfterMs: number | undefined }

export type Deletion = { kind: 'deleted' } | { kind: 'refused' } | { kind: 'unanswered'; cause: unknown }

/**
 * The code for one vendor's API. It never repeats a call that the vendor may have taken. Every call names its
 * organization, because organizations have separate shares of the vendor's limits.
 */
export interface VideoDriver {
  create(order: {
    organizationId: string
    order: VideoOrder
    expiresAfterSeconds: number
    /** Address for the vendor's notices; undefined: none. */
    noticeUrl: string | undefined
  }): Promise<Submission>
  read(ticket: string, organizationId: string): Promise<Reading>
  /** Left out where the vendor has no such call. */
  delete?(ticket: string, organizationId: string): Promise<Deletion>
}
