import { sql } from 'kysely'
import type { IdempotencyClaim, Replay, TaskStore } from '../../../ports/tasks.ts'
import { dropExpired } from '../drop-expired.ts'
import { hotStatement } from '../hot-statement.ts'
import { read, type StatementsOf, single } from '../statement.ts'
import type { Db } from '../tables.ts'
import { toWholeTask, WHOLE_TASK_COLUMNS, type WholeTaskRow } from './find-task.ts'

export const IDEMPOTENCY_KEYS = {
  findReplay: read(findReplay),
  dropExpiredKeys: single(dropExpired('idempotency_keys')),
} satisfies Partial<StatementsOf<TaskStore>>

type IdempotencyKeyClaim = IdempotencyClaim & { taskId: string; nowMs: number }

/** Claims a free or expired key. A second claim waits for the first, and then finds the key taken. */
export async function claimKey(db: Db, claim: IdempotencyKeyClaim): Promise<boolean> {
  const { numAffectedRows } = await takeKey(db, claim)
  return numAffectedRows === 1n
}

const takeKey = hotStatement<IdempotencyKeyClaim>(
  ({ keyId, key, bodyDigest, taskId, expiresAtMs, nowMs }) => sql`
    insert into idempotency_keys (api_key_id, key, body_digest, task_id, expires_at_ms)
    values (${keyId}, ${key}, ${bodyDigest}, ${taskId}, ${expiresAtMs})
    on conflict (api_key_id, key) do update
    set body_digest = excluded.body_digest, task_id = excluded.task_id, expires_at_ms = excluded.expires_at_ms
    where idempotency_keys.expires_at_ms <= ${nowMs}`,
)

interface ReplayLookup {
  keyId: string
  key: string
  bodyDigest: string
  nowMs: number
}

export async function findReplay(db: Db, lookup: ReplayLookup): Promise<Replay | undefined> {
  const { rows } = await findTaskOfKey(db, lookup)
  if (rows[0] === undefined) return undefined
  const { bodyDigest, ...row } = rows[0]
  if (bodyDigest !== lookup.bodyDigest) return { kind: 'other-body' }
  if (row.status === 'submitting') return { kind: 'in-progress' }
  return { kind: 'replay', task: toWholeTask(row) }
}

const findTaskOfKey = hotStatement<ReplayLookup, WholeTaskRow & { bodyDigest: string }>(
  ({ keyId, key, nowMs }) => sql`
    select ${WHOLE_TASK_COLUMNS}, idempotency_keys.body_digest as "bodyDigest"
    from idempotency_keys join video_tasks on video_tasks.id = idempotency_keys.task_id
    where idempotency_keys.api_key_id = ${keyId} and key = ${key} and idempotency_keys.expires_at_ms > ${nowMs}`,
)

/** Frees the task's key, so that the next request with it creates a new task. */
export const freeKey = hotStatement<{ taskId: string }>(
  ({ taskId }) => sql`delete from idempotency_keys where task_id = ${taskId}`,
)
