import type { ColumnType, Generated } from 'kysely'
import type { CallbackState } from '../../domain/callbacks/callback-retry.ts'
import type { EventType } from '../../domain/events/event.ts'
import type { FileFacts } from '../../domain/video/clip.ts'
import type { TaskStatus } from '../../domain/video/task.ts'
import type { CallbackAttempt } from '../../ports/callbacks.ts'
import type { StoredClip } from '../../ports/clips.ts'
import type { TaskAttempt } from '../../ports/task-attempts.ts'
import type { StoredTask } from '../../ports/tasks.ts'
import type { ColumnsOf } from './columns-of.ts'

export interface VideoTasksTable
  extends ColumnsOf<Pick<StoredTask, 'id' | 'organizationId' | 'userId' | 'model' | 'provider' | 'status'>>,
    ColumnsOf<Pick<StoredTask, 'createdAtMs' | 'updatedAtMs' | 'completedAtMs' | 'deletedAtMs'>>,
    ColumnsOf<Pick<StoredTask, 'expiresAtMs' | 'withheldAtMs' | 'attemptAtMs'>> {
  api_key_id: string
  /** Alias by which the client requested the model. */
  alias: Generated<string | null>
  /** Encrypted, like every `sealed_` column. */
  sealed_callback_url: string | null
  owes_callback: ColumnType<boolean | number, boolean | undefined, boolean>
  /** JSON object as the client sent it. */
  metadata: string
  sealed_ticket: string | null
  sealed_content: string | null
  error_code: string | null
  error_message: string | null
  /** JSON. */
  pricing: string
  notice_token_digest: string | null
  /** A claim sets it to the end of its lease. */
  next_poll_at_ms: number
  fence: number
  /** Time since which sweeps ignore the task, because its row cannot be claimed or read. */
  set_aside_at_ms: number | null
  /** Order as JSON, for the receipt; null: the task is older than this column. */
  ordered: string | null
  owes_receipt: ColumnType<boolean | number, boolean | undefined, boolean>
  attempt: Generated<number>
  /** Model of the current attempt; null: the requested model. */
  served_model: string | null
  /** JSON array of the models that may still step in. */
  stand_ins: string | null
  /** Encrypted request for a stand-in; null when no stand-in is left or may be used. */
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
  /** Number of attempts by the retry setting; a resend sets it to the attempts made plus that number. */
  attempts_allowed: number
  /** End of extended retries; null: default retries. */
  retry_until_ms: number | null
  /** A claim sets it to the end of its lease. */
  next_attempt_at_ms: number
  fence: number
}

export type CallbackAttemptsTable = ColumnsOf<CallbackAttempt>

/** Copies of finished videos, of their last frames and of assets, and uploaded files. */
export interface ClipsTable
  extends ColumnsOf<Omit<StoredClip, 'keyId' | 'facts'>>,
    ColumnsOf<{ [Name in keyof Omit<FileFacts, 'watermark'>]: FileFacts[Name] | null }>,
    Pick<VideoCallbacksTable, 'attempt_count' | 'attempts_allowed' | 'next_attempt_at_ms' | 'fence'> {
  api_key_id: string
  watermark: boolean | number | null
  owes_receipt: ColumnType<boolean | number, boolean | undefined, boolean>
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
