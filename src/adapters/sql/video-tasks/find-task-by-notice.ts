import type { Kysely } from 'kysely'
import type { StoredTask } from '../../../ports/tasks.ts'
import type { Tables } from '../tables.ts'
import { toStoredTask } from './to-stored-task.ts'

export async function findTaskByNotice(
  db: Kysely<Tables>,
  { tokenDigest }: { tokenDigest: string },
): Promise<StoredTask | undefined> {
  const row = await db
    .selectFrom('video_tasks')
    .selectAll()
    .where('notice_token_digest', '=', tokenDigest)
    .executeTakeFirst()
  return row === undefined ? undefined : toStoredTask(row)
}
