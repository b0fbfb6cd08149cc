import { type RawBuilder, sql } from 'kysely'
import type { ClipKind, ErasedFile } from '../../../domain/video/clip.ts'
import type { Db } from '../tables.ts'

/**
 * Erases the copies that match a condition. The row of a running copy keeps the end of its lease as due
 * time. Its files are removed after that time, when no process can still write one.
 */
export async function eraseClips(
  db: Db,
  { where, reason }: { where: RawBuilder<unknown>; reason: string },
): Promise<ErasedFile[]> {
  const { rows } = await sql<{ task_id: string; kind: ClipKind; sha256: string | null }>`
    update clips set state = 'erased', reason = ${reason}
    where ${where} and state in ('copying', 'kept') returning task_id, kind, sha256`.execute(db)
  return rows.flatMap(({ task_id: id, kind, sha256 }) =>
    sha256 === null ? [] : [{ ...(kind === 'asset' ? { assetId: id } : { taskId: id }), sha256 }],
  )
}
