import type { ColumnType, Generated } from 'kysely'
import type { CallbackState } from '../../domain/callbacks/callback-retry.ts'
import type { EventType } from '../../domain/events/event.ts'
import type { TaskStatus } from '../../domain/video/task.ts'
import type { CallbackAttempt } from '../../ports/callbacks.ts'
import type { StoredClip } from '../../ports/clips.ts'
import type { TaskAttempt } from '../../ports/task-attempts.ts'
import type { ColumnsOf } from './columns-of.ts'

export interface VideoTasksTable {
  id: string
  api_key_id: string
  organization_id: string
  user_id: string
  model: string
  /** Alias by which the client requested the model. */
  alias: Generated<string | null>
  status: TaskStatus
  created_at_ms: number
  completed_at_ms: number | null
  deleted_at_ms: number | null
  /** Encrypted, like every `sealed_` column. */
  sealed_callback_url: string | null
  owes_callback: ColumnType<boolean | number, boolean | undefined, boolean>
  provider: string
  /** JSON object as the client sent it. */
  metadata: string
  sealed_ticket: string | null
  sealed_content: string | null
  error_code: string | null
  error_message: string | null
  /** JSON. */
  pricing: string
  notice_token_digest: string | null
  updated_at_ms: number | null
  expires_at_ms: number
  /** A claim sets it to the end of its lease. */
  next_poll_at_ms: number
  fence: number
  /** Time since which sweeps ignore the task, because its row cannot be read. */
  set_aside_at_ms: number | null
  /** Time since which the result is withheld, because a person in it revoked the consent. */
  withheld_at_ms: number | null
  /** Order as JSON, for the receipt; null: the task is older than this column. */
  ordered: string | null
  owes_receipt: ColumnType<boolean | number, boolean | undefined, boolean>
  attempt: Generated<number>
  /** Time when the attempt was sent; null for the first and for a waiting attempt. */
  attempt_at_ms: number | null
  /** Model of the current attempt; null: the requested model. */
  served_model: string | null
  /** JSON array of the models that may still step in. */
  stand_ins: string | null
  /** Encrypted request for a stand-in; null when none is left. */
  sealed_request: string | null
  /** Request id of the create call; null: the task is older than this column. */
  request_id: string | null
}

/** Attempts of tasks that were handed over to a stand-in; other tasks have no rows. */
export interface TaskAttemptsTable
  extends ColumnsOf<Omit<TaskAttempt, 'encryptedTicket' | 'vendorCostMicros'>> {
  /** `<task>.<number>` */
  id: string
  task_id: string
  /** Null for the current attempt, whose ticket stands in the task. */
  sealed_ticket: string | null
  vendor_cost_micros: number | null
}

export interface TaskSnapshotsTable {
  task_id: string
  attempt: number
  status: TaskStatus
  at_ms: number
  error_code: string | null
  error_message: string | null
  /** JSON. */
  measured: string
}

export interface VideoCallbacksTable {
  id: string
  task_id: string
  organization_id: string
  created_at_ms: number
  state: CallbackState
  attempt_count: number
  /** Number of attempts by the retry setting, and as many more for each resend. */
  attempts_allowed: number
  /** End of extended retries; null: default retries. */
  retry_until_ms: number | null
  /** A claim sets it to the end of its lease. */
  next_attempt_at_ms: number
  fence: number
}

export type CallbackAttemptsTable = ColumnsOf<CallbackAttempt>

/** Copies of finished videos and their last pictures. */
export interface ClipsTable extends ColumnsOf<Omit<StoredClip, 'keyId' | 'facts'>> {
  api_key_id: string
  sha256: string | null
  source_sha256: string | null
  bytes: number | null
  media_type: string | null
  duration_ms: number | null
  width: number | null
  height: number | null
  watermark: boolean | number | null
  /** JSON. */
  marks: string | null
  owes_receipt: ColumnType<boolean | number, boolean | undefined, boolean>
  attempt_count: number
  attempts_allowed: number
  next_attempt_at_ms: number
  fence: number
}

/** Messages for operators and organizations. */
export interface EventsTable extends Omit<VideoCallbacksTable, 'task_id'> {
  type: EventType
  cause: string
  /** JSON. */
  data: string
  last_attempt_at_ms: number | null
  last_status: number | null
  last_error: string | null
}
