import { type RawBuilder, sql } from 'kysely'
import type { CallbackStore, OwnCallback } from '../../../ports/callbacks.ts'
import { readLong, type StatementsOf, write } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'
import { dueAgain, UNKNOWN } from './callbacks.ts'

export const OWN_CALLBACKS = {
  listOwn: readLong(async (db, { keyId, state, after, limit }) => {
    const filters = [
      ...(state === undefined ? [] : [sql`video_callbacks.state = ${state}`]),
      ...(after === undefined
        ? []
        : [
            sql`(video_tasks.created_at_ms, video_tasks.id) < (cast(${after.createdAtMs} as bigint), ${after.id})`,
          ]),
    ]
    return findOwn(db, keyId, filters, limit)
  }),

  resendOwn: write(async (db, { id, keyId, atMs }) => {
    const isOwn = sql`video_callbacks.id = ${id}`
    const [own] = await findOwn(db, keyId, [isOwn], 1)
    if (own === undefined) return undefined
    await sql`update video_callbacks set ${dueAgain(atMs)} where ${isOwn}`.execute(db)
    const [resent] = await findOwn(db, keyId, [isOwn], 1)
    return resent
  }),
} satisfies Partial<StatementsOf<CallbackStore>>

/** Conditions of the index `video_tasks_listed` are literals, so that planners recognize them. */
async function findOwn(
  db: Db,
  keyId: string,
  filters: readonly RawBuilder<unknown>[],
  limit: number,
): Promise<OwnCallback[]> {
  const own = sql`video_tasks.api_key_id = ${keyId} and video_tasks.deleted_at_ms is null`
  const conditions = [own, sql`video_tasks.status <> 'submitting'`, ...filters]
  const { rows } = await sql<OwnCallbackRow>`
    select video_callbacks.id, task_id, video_tasks.created_at_ms, state, attempt_count, next_attempt_at_ms, (
      select callback_attempts.status from callback_attempts
      where callback_attempts.task_id = video_callbacks.task_id
        and (callback_attempts.error is null or callback_attempts.error <> ${UNKNOWN})
      order by attempt desc limit 1
    ) as last_status
    from video_tasks join video_callbacks on video_callbacks.task_id = video_tasks.id
    where ${sql.join(conditions, sql` and `)}
    order by video_tasks.created_at_ms desc, video_tasks.id desc limit ${limit}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    task: { id: row.task_id, createdAtMs: row.created_at_ms },
    state: row.state,
    attempts: row.attempt_count,
    nextAttemptAtMs: row.state === 'pending' ? row.next_attempt_at_ms : null,
    lastStatus: row.last_status,
  }))
}

interface OwnCallbackRow
  extends Pick<Tables['video_callbacks'], 'id' | 'task_id' | 'created_at_ms' | 'state'>,
    Pick<Tables['video_callbacks'], 'attempt_count' | 'next_attempt_at_ms'> {
  last_status: number | null
}
