import { sql } from 'kysely'
import { LONG_ATTEMPTS_MAX } from '../../../domain/callbacks/callback-retry.ts'
import { clipFolder } from '../../../domain/video/clip.ts'
import type { StoredAsset } from '../../../ports/asset-store.ts'
import type { NewClip } from '../../../ports/clips.ts'
import type { StoredTask, TaskMove } from '../../../ports/tasks.ts'
import { hotStatement } from '../hot-statement.ts'
import type { Db } from '../tables.ts'

/**
 * Inserts the clips (file copies) of a succeeded task, due immediately. Inserts none when the content is withheld,
 * or when the organization was erased or wants no copies.
 */
export async function insertClips(
  db: Db,
  task: StoredTask,
  { clips = [], atMs }: Pick<TaskMove, 'clips' | 'atMs'>,
): Promise<void> {
  if (task.status !== 'succeeded' || task.withheldAtMs !== null) return
  const { id: taskId, organizationId, keyId, provider, servedModel: model } = task
  for (const { id, kind } of clips) {
    const storeKey = clipFolder({ organizationId, id })
    const owner = { taskId, organizationId, keyId, provider, model }
    await insertClip(db, { id, kind, ...owner, storeKey, atMs, dueAtMs: atMs })
  }
}

/** Inserts the copy of an asset that has become active. */
export async function insertAssetClip(
  db: Db,
  { id: taskId, organizationId, provider }: Pick<StoredAsset, 'id' | 'organizationId' | 'provider'>,
  { clipId: id, atMs }: { clipId: string; atMs: number },
): Promise<void> {
  const storeKey = clipFolder({ organizationId, id })
  const owner = { taskId, organizationId, keyId: '', provider, model: '' }
  await insertClip(db, { id, kind: 'asset', ...owner, storeKey, atMs, dueAtMs: atMs })
}

export const insertClip = hotStatement<NewClip>(
  (clip) => sql`
    insert into clips
      (id, task_id, organization_id, api_key_id, provider, model, kind, state, consent, created_at_ms, store_key,
        attempts_allowed, next_attempt_at_ms)
    select ${clip.id}, ${clip.taskId}, id, ${clip.keyId}, ${clip.provider}, ${clip.model}, ${clip.kind}, 'copying',
      case when exists (select 1 from task_groups where task_id = ${clip.taskId}) then 'given' else 'none' end,
      cast(${clip.atMs} as bigint), ${clip.storeKey}, ${sql.lit(LONG_ATTEMPTS_MAX)}, cast(${clip.dueAtMs} as bigint)
    from organizations where id = ${clip.organizationId} and coalesce(keep_media, 'on') = 'on' and name <> ''
    on conflict do nothing`,
)
