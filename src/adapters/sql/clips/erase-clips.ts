import { type RawBuilder, sql } from 'kysely'
import type { ClipKind, ErasedFile } from '../../../domain/video/clip.ts'
import type { Db } from '../tables.ts'

/** Erases matching copies. Files of a running copy are removed after its lease, when no process writes them any more. */
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
