import type { ClipConsent, ClipState, ErasedFile, FileFacts, FileKind } from '../domain/video/clip.ts'
import type { NewAudit } from './audit.ts'
import type { DueStore } from './callbacks.ts'
import type { PageQuery } from './page-query.ts'

export interface StoredClip {
  id: string
  /** Id of the asset where `kind` is `asset`. */
  taskId: string
  organizationId: string
  keyId: string
  provider: string
  model: string
  kind: FileKind
  state: ClipState
  reason: string | null
  consent: ClipConsent
  createdAtMs: number
  /** null: the file was never copied. */
  facts: FileFacts | null
  /** Key of the file, or the prefix of its possible keys; null: the media store has none of its files. */
  storeKey: string | null
  keptAtMs: number | null
  keptUntilMs: number | null
}

export interface DueClip extends Pick<StoredClip, 'id' | 'taskId' | 'organizationId' | 'model' | 'kind'> {
  attempt: number
  attemptsLeft: number
  fence: number
}

interface ClaimedClip {
  id: string
  fence: number
}

export interface NewClip
  extends Pick<
    StoredClip,
    'id' | 'kind' | 'taskId' | 'organizationId' | 'keyId' | 'provider' | 'model' | 'storeKey'
  > {
  atMs: number
  dueAtMs: number
}

/** A change with an old fence, or of a copy that is no longer `copying`, has no effect. */
export interface ClipStore extends DueStore<DueClip, Pick<DueClip, 'organizationId' | 'taskId'>> {
  /** Inserts the row of an upload that must end by `dueAtMs`. Returns false when its organization keeps no files. */
  beginUpload(upload: NewClip): Promise<boolean>
  listOfTasks(taskIds: readonly string[]): Promise<StoredClip[]>
  find(id: string): Promise<StoredClip | undefined>
  /** Finds the file of a task of any organization by one of its two hashes; a file with revoked consent comes first. */
  findByHash(sha256: string): Promise<StoredClip | undefined>
  postpone(clip: ClaimedClip & { nextAttemptAtMs: number; reason: string }): Promise<void>
  giveUp(clip: ClaimedClip & { reason: string; atMs: number }): Promise<void>
  /** Returns false when the copy was erased, or another replica has claimed it. */
  keep(
    clip: ClaimedClip & { storeKey: string; atMs: number; keptUntilMs: number; facts: FileFacts },
  ): Promise<boolean>
  listOwingReceipts(query: { limit: number }): Promise<StoredClip[]>
  sumKept(organizationId: string): Promise<number>
  /** Erases copies past `keptUntilMs`; returns their number. */
  eraseExpired(pass: { nowMs: number; limit: number }): Promise<number>
  /** Lists copies that are erased or given up and may still have files. */
  listWithFiles(pass: { nowMs: number; limit: number }): Promise<{ id: string; organizationId: string }[]>
  forgetFiles(id: string): Promise<void>
  /** Erases the copies of one task. The audit row gets the task's organization. undefined: there are no copies. */
  eraseOfTask(taskId: string, audit: NewAudit): Promise<ErasedFile[] | undefined>
  page(query: PageQuery & { state?: ClipState | undefined }): Promise<StoredClip[]>
}
