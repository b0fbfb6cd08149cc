import { type Kysely, sql } from 'kysely'
import type { Replay } from '../../../ports/tasks.ts'
import { hotStatement } from '../hot-statement.ts'
import type { Tables } from '../tables.ts'
import { toWholeTask, WHOLE_TASK_COLUMNS, type WholeTaskRow } from '../video-tasks/to-stored-task.ts'

interface Question {
  keyId: string
  key: string
  bodyDigest: string
  nowMs: number
}

export async function findReplay(db: Kysely<Tables>, question: Question): Promise<Replay | undefined> {
  const { rows } = await findTaskOfKey(db, question)
  const row = rows[0]
  if (row === undefined) return undefined
  if (row.body_digest !== question.bodyDigest) return { kind: 'other-body' }
  if (row.status === 'submitting') return { kind: 'under-way' }
  return { kind: 'replay', task: toWholeTask(row) }
}

const findTaskOfKey = hotStatement<Question, WholeTaskRow & { body_digest: string }>(
  ({ keyId, key, nowMs }) => sql`
    select ${WHOLE_TASK_COLUMNS}, idempotency_keys.body_digest
    from idempotency_keys join video_tasks on video_tasks.id = idempotency_keys.task_id
    where idempotency_keys.api_key_id = ${keyId} and key = ${key} and idempotency_keys.expires_at_ms > ${nowMs}`,
)
