import type { ColumnType, Generated } from 'kysely'
import type { CallbackState } from '../../domain/callbacks/callback-retry.ts'
import type { AttemptState } from '../../domain/video/hand-over.ts'
import type { TaskStatus } from '../../domain/video/task.ts'
import type { EventType } from '../../ports/organization-events.ts'

export interface VideoTasksTable {
  id: string
  api_key_id: string
  organization_id: string
  user_id: string
  model: string
  status: TaskStatus
  created_at_ms: number
  completed_at_ms: number | null
  deleted_at_ms: number | null
  /** What is encrypted only its owner, or the vendor, may read. */
  sealed_callback_url: string | null
  owes_callback: ColumnType<boolean | number, boolean | undefined, boolean>
  provider: string
  /** The text of a JSON object as its client sent it. */
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
  /** A claim puts it off to the end of its lease. */
  next_poll_at_ms: number
  fence: number
  /** Since when sweeps leave it alone, because it cannot be read. */
  set_aside_at_ms: number | null
  /** Since when its result is withheld, because a person in it took the consent back. */
  withheld_at_ms: number | null
  /** JSON: what its receipt says of the order; null: older than this column. */
  ordered: string | null
  owes_receipt: ColumnType<boolean | number, boolean | undefined, boolean>
  /** The number of the current attempt. */
  attempt: Generated<number>
  /** When it was sent; null for one that was sent with the task, and for one that waits to be sent. */
  attempt_at_ms: number | null
  /** The model of the current attempt; null: the one that was asked for. */
  served_model: string | null
  /** A JSON array of names: the models that may step in after it. */
  stand_ins: string | null
  /** What a stand-in is sent; null once no stand-in can be sent it any more. */
  sealed_request: string | null
  /** The id that the answer of its create call carried; null: older than this column. */
  request_id: string | null
}

/** Only of tasks that were handed over: an attempt that has no row is the task itself. */
export interface TaskAttemptsTable {
  /** `<task>.<number>` */
  id: string
  task_id: string
  number: number
  provider: string
  model: string
  state: AttemptState
  /** null for the current attempt too: its ticket is that of the task. */
  sealed_ticket: string | null
  began_at_ms: number | null
  ended_at_ms: number | null
  /** Why it ended. */
  reason: string | null
  message: string | null
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
  /** Three, and three more for each time it is sent again. */
  attempts_allowed: number
  /** A claim puts it off to the end of its lease. */
  next_attempt_at_ms: number
  fence: number
}

export interface CallbackAttemptsTable {
  task_id: string
  attempt: number
  at_ms: number
  status: number | null
  error: string | null
}

/** The verified people that a task shows. */
export interface TaskGroupsTable {
  group_id: string
  task_id: string
  organization_id: string
}

/** What an organization is told at its own address. */
export interface OrganizationEventsTable extends Omit<VideoCallbacksTable, 'task_id'> {
  type: EventType
  subject: string
  last_status: number | null
  last_error: string | null
}

/** Quotes that were used. */
export interface VideoQuotesTable {
  id: string
  task_id: string
}

/** Of a task or a usage row, whose id it has. */
export interface ReceiptsTable {
  id: string
  organization_id: string
  /** null for an entry that no API key asked for. */
  api_key_id: string | null
  /** Of a text request; null for other entries. */
  request_id: string | null
  /** Its place in the chain of the organization, from 1. */
  number: number
  hash: string
  jws: string
  made_at_ms: number
}

export interface ReceiptKeysTable {
  id: string
  public_key: string
  /** null once another key signs. */
  sealed_private_key: string | null
  created_at_ms: number
}
