import { sql } from 'kysely'
import type { StoredTask, TaskStore, TaskWithContent, WholeTask } from '../../../ports/tasks.ts'
import { columnsAs, type NamedRow } from '../columns-as.ts'
import { hotStatement } from '../hot-statement.ts'
import { read, type StatementsOf } from '../statement.ts'

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

/** Finds a task of a client. A cancelled task can be found even after its deletion, because clients still poll it. */
const selectTask = hotStatement<TaskLookup, WholeTaskRow>(
  ({ id, keyId }) => sql`
    select ${WHOLE_TASK_COLUMNS} from video_tasks
    where id = ${id} and api_key_id = ${keyId} and status <> 'submitting'
      and (deleted_at_ms is null or status = 'cancelled')`,
)

/** Fields of open tasks with small values. */
const OPEN = [
  'id',
  'organizationId',
  'userId',
  'model',
  'alias',
  'provider',
  'attempt',
  'attemptAtMs',
  'servedModel',
  'standIns',
  'status',
  'owesCallback',
  'createdAtMs',
  'updatedAtMs',
  'expiresAtMs',
  'withheldAtMs',
] as const
/** Fields that statements over many rows read. */
const CORE = [...OPEN, 'pricing', 'errorCode', 'errorMessage', 'completedAtMs', 'deletedAtMs'] as const

const RENAMED = { keyId: 'api_key_id', encryptedTicket: 'sealed_ticket' } as const
const WITH_CONTENT = { ...RENAMED, encryptedContent: 'sealed_content' } as const
const WHOLE = { ...WITH_CONTENT, encryptedCallbackUrl: 'sealed_callback_url' } as const

export const OPEN_TASK_COLUMNS = columnsAs('video_tasks', OPEN, { keyId: 'api_key_id' })
export const TASK_COLUMNS = columnsAs('video_tasks', CORE, RENAMED)
export const TASK_COLUMNS_WITH_CONTENT = columnsAs('video_tasks', CORE, WITH_CONTENT)
export const WHOLE_TASK_COLUMNS = columnsAs('video_tasks', [...CORE, 'metadata'], WHOLE)

export type TaskRow = NamedRow<typeof TASK_COLUMNS>
export type TaskRowWithContent = NamedRow<typeof TASK_COLUMNS_WITH_CONTENT>
export type WholeTaskRow = NamedRow<typeof WHOLE_TASK_COLUMNS>

export function toWholeTask(row: WholeTaskRow): WholeTask {
  const { metadata, encryptedCallbackUrl } = row
  return { ...toTaskWithContent(row), metadata, encryptedCallbackUrl }
}

export function toTaskWithContent(row: TaskRowWithContent): TaskWithContent {
  return { ...toStoredTask(row), encryptedContent: row.encryptedContent }
}

/** Names each field, because a rest pattern (`...row`) over so many fields took a tenth of the time of a read. */
export function toStoredTask(row: TaskRow): StoredTask {
  const { alias, errorCode: code, errorMessage: message } = row
  return {
    id: row.id,
    organizationId: row.organizationId,
    userId: row.userId,
    keyId: row.keyId,
    model: row.model,
    ...(alias !== null && { alias }),
    provider: row.provider,
    attempt: row.attempt,
    attemptAtMs: row.attemptAtMs,
    servedModel: row.servedModel ?? row.model,
    standIns: row.standIns === null ? NO_STAND_INS : JSON.parse(row.standIns),
    status: row.status,
    encryptedTicket: row.encryptedTicket,
    error: code === null || message === null ? null : { code, message },
    pricing: JSON.parse(row.pricing),
    owesCallback: Boolean(row.owesCallback),
    createdAtMs: row.createdAtMs,
    updatedAtMs: row.updatedAtMs,
    completedAtMs: row.completedAtMs,
    deletedAtMs: row.deletedAtMs,
    expiresAtMs: row.expiresAtMs,
    withheldAtMs: row.withheldAtMs,
  }
}

const NO_STAND_INS: readonly string[] = []
