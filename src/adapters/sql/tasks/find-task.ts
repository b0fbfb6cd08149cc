import { type Selectable, sql } from 'kysely'
import type { StoredTask, TaskStore, TaskWithContent, WholeTask } from '../../../ports/tasks.ts'
import { hotStatement } from '../hot-statement.ts'
import { read, type StatementsOf } from '../statement.ts'
import type { Tables } from '../tables.ts'

export const FIND_TASK = {
  find: read(async (db, lookup) => {
    const { rows } = await selectTask(db, lookup)
    return rows[0] === undefined ? undefined : toWholeTask(rows[0])
  }),

  /** Searches all organizations, so the id must come from our own rows, never from a client. */
  findWhole: read(async (db, id) => {
    const { rows } = await sql<WholeTaskRow>`
      select ${WHOLE_TASK_COLUMNS} from video_tasks where id = ${id}`.execute(db)
    return rows[0] === undefined ? undefined : toWholeTask(rows[0])
  }),

  findByNotice: read(async (db, tokenDigest) => {
    const { rows } = await sql<TaskRow>`
      select ${TASK_COLUMNS} from video_tasks where notice_token_digest = ${tokenDigest}`.execute(db)
    return rows[0] === undefined ? undefined : toStoredTask(rows[0])
  }),
} satisfies Partial<StatementsOf<TaskStore>>

interface TaskLookup {
  id: string
  keyId: string
}

/** Finds a task of a client. A cancelled task is marked as deleted, but clients that poll still see it. */
const selectTask = hotStatement<TaskLookup, WholeTaskRow>(
  ({ id, keyId }) => sql`
    select ${WHOLE_TASK_COLUMNS} from video_tasks
    where id = ${id} and api_key_id = ${keyId} and status <> 'submitting'
      and (deleted_at_ms is null or status = 'cancelled')`,
)

/** Columns with small values. Statements that read many rows read only these. */
const CORE = [
  'id',
  'organization_id',
  'user_id',
  'api_key_id',
  'model',
  'alias',
  'provider',
  'attempt',
  'attempt_at_ms',
  'served_model',
  'stand_ins',
  'status',
  'sealed_ticket',
  'error_code',
  'error_message',
  'pricing',
  'owes_callback',
  'created_at_ms',
  'updated_at_ms',
  'completed_at_ms',
  'deleted_at_ms',
  'expires_at_ms',
  'withheld_at_ms',
] as const
const WITH_CONTENT = [...CORE, 'sealed_content'] as const
const WHOLE = [...WITH_CONTENT, 'metadata', 'sealed_callback_url'] as const

type Columns<Names extends readonly (keyof Tables['video_tasks'])[]> = Pick<
  Selectable<Tables['video_tasks']>,
  Names[number]
>

export type TaskRow = Columns<typeof CORE>
export type TaskRowWithContent = Columns<typeof WITH_CONTENT>
export type WholeTaskRow = Columns<typeof WHOLE>

export const TASK_COLUMNS = listed(CORE)
export const TASK_COLUMNS_WITH_CONTENT = listed(WITH_CONTENT)
export const WHOLE_TASK_COLUMNS = listed(WHOLE)

function listed(names: readonly string[]) {
  return sql.join(names.map((name) => sql.ref(`video_tasks.${name}`)))
}

export function toWholeTask(row: WholeTaskRow): WholeTask {
  return { ...toTaskWithContent(row), metadata: row.metadata, encryptedCallbackUrl: row.sealed_callback_url }
}

export function toTaskWithContent(row: TaskRowWithContent): TaskWithContent {
  return { ...toStoredTask(row), encryptedContent: row.sealed_content }
}

export function toStoredTask(row: TaskRow): StoredTask {
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    keyId: row.api_key_id,
    model: row.model,
    ...(row.alias === null ? {} : { alias: row.alias }),
    provider: row.provider,
    attempt: row.attempt,
    attemptAtMs: row.attempt_at_ms,
    servedModel: row.served_model ?? row.model,
    standIns: row.stand_ins === null ? NO_STAND_INS : JSON.parse(row.stand_ins),
    status: row.status,
    encryptedTicket: row.sealed_ticket,
    error: toError(row),
    pricing: JSON.parse(row.pricing),
    owesCallback: Boolean(row.owes_callback),
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    completedAtMs: row.completed_at_ms,
    deletedAtMs: row.deleted_at_ms,
    expiresAtMs: row.expires_at_ms,
    withheldAtMs: row.withheld_at_ms,
  }
}

const NO_STAND_INS: readonly string[] = []

function toError({ error_code: code, error_message: message }: TaskRow): StoredTask['error'] {
  return code === null || message === null ? null : { code, message }
}
