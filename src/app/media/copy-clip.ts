import { longDelayMs } from '../../domain/callbacks/callback-retry.ts'
import { type ClipKind, clipFolder, type FileFacts, LINK_OF } from '../../domain/video/clip.ts'
import type { ClipStore, DueClip } from '../../ports/clips.ts'
import type { OpenMedia } from '../../ports/media.ts'
import {
  FileTooLarge,
  type MarkOrder,
  type MediaStage,
  type MediaStore,
  type PreparedFile,
  type StagedFile,
} from '../../ports/media-store.ts'
import type { ReceiptStore, ReceiptTask } from '../../ports/receipts.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import type { GetAsset } from '../assets/get-asset.ts'
import type { Deliver } from '../callbacks/deliver-message.ts'
import type { JobLease } from '../jobs/lease-runner.ts'
import type { Runtime } from '../runtime.ts'
import { viewOf } from '../video/encrypted.ts'
import type { SyncTask } from '../video/sync-task.ts'

const DAY_MS = 86_400_000
const UNMARKED_FROM_ATTEMPT = 3

export interface CopyTools extends Pick<Runtime, 'checkpoint' | 'clock' | 'log' | 'secrets'> {
  clips: Pick<ClipStore, 'keep' | 'postpone' | 'giveUp' | 'giveBack' | 'sumKept'>
  tasks: Pick<TaskStore, 'findWhole'>
  receipts: Pick<ReceiptStore, 'findTask'>
  /** Gets a fresh link from the vendor. */
  sync: SyncTask
  getAsset: GetAsset
  openMedia: OpenMedia
  stage: MediaStage
  media: MediaStore
  marksOf(clip: Pick<DueClip, 'taskId' | 'model' | 'kind'>): MarkOrder
  bounds: {
    keptDays: number
    bytesMax: number
    /** 0: no limit. */
    organizationBytesMax: number
  }
}

type MediaLink = Pick<Parameters<OpenMedia>[0], 'url' | 'kind'>

/** Error after which a copy is given up, because another attempt would not help. */
class CopyRefused extends Error {}

/**
 * Copies the file of a vendor: it is received on this machine, put into the media store, and read back from there. The row
 * becomes `kept` only when size and hash agree. A process that dies earlier leaves the row `copying`; the next attempt
 * removes the files that it finds, and starts from the beginning.
 */
export function copyClip(tools: CopyTools): Deliver<DueClip> {
  const { clips, tasks, receipts, sync, openMedia, stage, media, secrets, clock, log, checkpoint } = tools
  const { keptDays, bytesMax, organizationBytesMax } = tools.bounds

  return async (due, lease) => {
    const { id, fence, taskId, organizationId, attemptsLeft } = due
    try {
      await copy(due, lease)
      return undefined
    } catch (error) {
      const atMs = clock.nowMs()
      // A stop uses up no attempt. The end of a lease does; otherwise a slow copy would begin again without end.
      if (lease.signal.aborted && !lease.isOver()) {
        await clips.giveBack({ callbackId: id, fence, nextAttemptAtMs: atMs })
        return undefined
      }
      const isFinal = error instanceof CopyRefused || attemptsLeft === 0
      const reason = error instanceof CopyRefused ? error.message : reasonOf(error)
      log.warn(isFinal ? 'clip.given_up' : 'clip.copy_failed', { taskId, organizationId, reason, error })
      if (isFinal) {
        await clips.giveUp({ id, fence, reason, atMs })
        return undefined
      }
      const delayMs = longDelayMs(due.attempt)
      await clips.postpone({ id, fence, reason, nextAttemptAtMs: atMs + delayMs })
      return delayMs
    }
  }

  async function copy(due: DueClip, { signal }: JobLease): Promise<void> {
    const { id, fence, organizationId, kind } = due
    const folder = clipFolder(due)
    const name = `${id}.${fence}`
    checkpoint('clip.before-copy')
    await media.remove(folder)
    if (kind === 'upload') throw new CopyRefused('interrupted')
    await requireRoom(organizationId, 0)
    const link = await findLink(due, kind)
    const opened = await openMedia({ ...link, organizationId, signal, range: undefined })
    const announced = opened.contentLength === undefined ? undefined : Number(opened.contentLength)
    try {
      const onPiece = () => checkpoint('clip.mid-file')
      // If the announced size is too large, a limit of 0 refuses the file at its first byte, and closes the connection.
      const allowed = announced !== undefined && announced > bytesMax ? 0 : bytesMax
      const file = await stage.receive({ name, body: opened.body, bytesMax: allowed, onPiece, signal })
      if (announced !== undefined && announced !== file.bytes)
        throw new Error('the file is shorter than announced')
      const { facts, ...prepared } = await prepare(due, file, signal)
      const { sha256, bytes } = prepared
      await requireRoom(organizationId, bytes)
      const mediaType = opened.contentType
      const watermark = watermarkOf(await receipts.findTask(due.taskId))
      const about = { sha256, sourceSha256: file.sha256, bytes, mediaType, watermark, ...facts }
      await store(due, prepared, signal, about)
    } catch (error) {
      if (error instanceof FileTooLarge) throw new CopyRefused('too_large', { cause: error })
      throw error
    } finally {
      await stage.drop(name)
    }
  }

  /** From the third attempt on, a file that cannot get its marks of origin is kept without, unless the disk is full. */
  async function prepare(due: DueClip, file: StagedFile, signal: AbortSignal): Promise<PreparedFile> {
    try {
      return await stage.prepare({ file, marks: tools.marksOf(due), signal })
    } catch (error) {
      if (signal.aborted || due.attempt < UNMARKED_FROM_ATTEMPT || reasonOf(error) === 'ENOSPC') throw error
      log.warn('clip.not_marked', { taskId: due.taskId, organizationId: due.organizationId, error })
      return { ...file, facts: { durationMs: null, width: null, height: null, marks: null } }
    }
  }

  async function store(due: DueClip, file: StagedFile, signal: AbortSignal, facts: FileFacts) {
    const { id, fence } = due
    const [type] = facts.mediaType.split('/')
    const key = `${clipFolder(due)}${fence}.${type === 'video' ? 'mp4' : type}`
    checkpoint('clip.before-put')
    await media.put({ ...file, key, mediaType: facts.mediaType, signal })
    await verify(key, file, signal)
    checkpoint('clip.before-row')
    const atMs = clock.nowMs()
    const keptUntilMs = atMs + keptDays * DAY_MS
    // The copy was erased, or another replica has it now: no row refers to this file.
    if (!(await clips.keep({ id, fence, storeKey: key, atMs, keptUntilMs, facts }))) await media.remove(key)
    checkpoint('clip.after-row')
  }

  async function requireRoom(organizationId: string, bytes: number): Promise<void> {
    if (organizationBytesMax === 0) return
    const used = await clips.sumKept(organizationId)
    if (used + Math.max(bytes, 1) > organizationBytesMax) throw new CopyRefused('organization_full')
  }

  /** The first attempt for a task returns the stored link, which is fresh. Otherwise the vendor is asked for a link. */
  async function findLink({ taskId, attempt, organizationId }: DueClip, kind: ClipKind): Promise<MediaLink> {
    if (kind === 'asset') {
      const { url, type } = await tools.getAsset({ id: taskId, caller: { organizationId } })
      if (url === undefined) throw new Error('the vendor has no link')
      return { url, kind: type }
    }
    const stored = await tasks.findWhole(taskId)
    if (stored === undefined) throw new CopyRefused('task_gone')
    const task = attempt === 1 && stored.encryptedContent !== null ? stored : await sync(stored)
    const link = viewOf(task, secrets).content?.[LINK_OF[kind]]
    if (typeof link !== 'string') throw new Error('the vendor has no link')
    return { url: link, kind: kind === 'video' ? 'Video' : 'Image' }
  }

  async function verify(key: string, file: { sha256: string; bytes: number }, signal: AbortSignal) {
    const body = await media.open({ key, range: undefined, signal })
    const read = body && (await stage.measure(body))
    if (read?.sha256 !== file.sha256 || read.bytes !== file.bytes)
      throw new Error('the media store has another file than it was given')
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'failed'
}

/** Returns whether the order asked for the vendor's visible mark; null: unknown, as for an asset. */
function watermarkOf(task: Pick<ReceiptTask, 'ordered'> | undefined): boolean | null {
  if (task === undefined || task.ordered === null) return null
  const { order }: { order?: { watermark?: unknown } } = JSON.parse(task.ordered)
  return typeof order?.watermark === 'boolean' ? order.watermark : null
}
