import type { ClipConsent, ClipKind, ClipState, ErasedFile, FileFacts } from '../domain/video/clip.ts'
import type { NewAudit } from './audit.ts'
import type { PageQuery } from './page-query.ts'
import type { ClaimShare, Far, More } from './tasks.ts'

/** Copy of a finished video, or of its last picture. */
export interface StoredClip {
  id: string
  taskId: string
  organizationId: string
  keyId: string
  provider: string
  /** Model that made it. */
  model: string
  kind: ClipKind
  state: ClipState
  reason: string | null
  consent: ClipConsent
  createdAtMs: number
  /** null: it was never kept. */
  facts: FileFacts | null
  /** Key of the file, or the beginning of the keys that it may have; null: nothing of it is in the media store. */
  storeKey: string | null
  keptAtMs: number | null
  keptUntilMs: number | null
}

/** A copy that is due. */
export interface DueClip extends Pick<StoredClip, 'id' | 'taskId' | 'organizationId' | 'kind'> {
  attempt: number
  attemptsLeft: number
  fence: number
}

interface ClaimedClip {
  id: string
  fence: number
}

/** A change with an old fence, or of a copy that is no longer `copying`, changes nothing. */
export interface ClipStore {
  listOfTasks(taskIds: readonly string[]): Promise<StoredClip[]>
  find(id: string): Promise<StoredClip | undefined>
  /** Finds a file by either of its hashes, of any organization; one whose consent was withdrawn comes first. */
  findByHash(sha256: string): Promise<StoredClip | undefined>
  claimDue(claim: { nowMs: number; leaseUntilMs: number; limit: number; share?: ClaimShare }): Promise<{
    due: DueClip[]
    abandoned: Pick<DueClip, 'organizationId' | 'taskId'>[]
    more: More
  }>
  bringForward(far: Far): Promise<number>
  /** Undoes a claim, except for its fence and its due time. */
  giveBack(unsent: { callbackId: string; fence: number; nextAttemptAtMs: number }): Promise<void>
  postpone(clip: ClaimedClip & { nextAttemptAtMs: number; reason: string }): Promise<void>
  giveUp(clip: ClaimedClip & { reason: string; atMs: number }): Promise<void>
  /** Returns false when the copy was erased meanwhile, or another replica has it. */
  keep(
    clip: ClaimedClip & { storeKey: string; atMs: number; keptUntilMs: number; facts: FileFacts },
  ): Promise<boolean>
  /** Lists kept videos without an entry in the chain of receipts. */
  listOwingReceipts(query: { limit: number }): Promise<StoredClip[]>
  /** Returns the bytes that are kept for an organization. */
  sumKept(organizationId: string): Promise<number>
  /** Erases copies beyond `keptUntilMs`; returns their number. */
  eraseExpired(pass: { nowMs: number; limit: number }): Promise<number>
  /** Lists copies that are erased or given up and may have files. */
  listWithFiles(pass: { nowMs: number; limit: number }): Promise<{ id: string; organizationId: string }[]>
  /** Records that the files of a copy are removed. */
  forgetFiles(id: string): Promise<void>
  /** Erases the copies of one task. The audit row gets its organization. undefined: it has none. */
  eraseOfTask(taskId: string, audit: NewAudit): Promise<ErasedFile[] | undefined>
  page(query: PageQuery & { state?: ClipState | undefined }): Promise<StoredClip[]>
}
