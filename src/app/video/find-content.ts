import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import { LINK_OF, type TaskClipKind } from '../../domain/video/clip.ts'
import type { TaskView } from '../../domain/video/task-view.ts'
import type { StoredAsset } from '../../ports/asset-store.ts'
import type { ClipStore, StoredClip } from '../../ports/clips.ts'
import type { FoundContent, OpenMedia } from '../../ports/media.ts'
import type { MediaStore } from '../../ports/media-store.ts'
import type { OperatorPageStore } from '../../ports/operator-pages.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import { requireRow } from '../access/no-such.ts'
import type { GetAsset } from '../assets/get-asset.ts'
import { createOwnerSlots } from '../limits/owner-slots.ts'
import { openKept } from '../media/open-kept.ts'
import { readMediaToken } from '../media/own-links.ts'
import type { Runtime } from '../runtime.ts'
import type { GetTask } from './get-task.ts'

/** Maximum open downloads by links of an organization. Links need no API key, so no other limit counts them. */
const LINK_DOWNLOADS_PER_ORGANIZATION_MAX = 128

/** Opens videos and assets through the gateway, so that a page loads nothing from other hosts. */
export interface FindContent {
  ofTask(id: string): Promise<FoundContent>
  /** Only finds tasks of the calling key. */
  ofOwnTask(question: { id: string; caller: Caller; kind?: TaskClipKind }): Promise<FoundContent>
  ofLink(token: string): Promise<FoundContent>
  ofAsset(id: string): Promise<FoundContent>
}

/** Prefers the kept file. Without one, it asks the vendor for a fresh link, as `getTask` and `getAsset` do. */
export function findContent(
  tools: Pick<Runtime, 'clock' | 'secrets'> & {
    tasks: Pick<TaskStore, 'findForOperator'>
    operatorPages: Pick<OperatorPageStore, 'assets'>
    clips: Pick<ClipStore, 'listOfTasks' | 'find'>
    /** undefined: no files are kept. */
    media: Pick<MediaStore, 'open'> | undefined
    getTask: GetTask
    getAsset: GetAsset
    openMedia: OpenMedia
  },
): FindContent {
  const { tasks, operatorPages, clips, media, getTask, getAsset, openMedia, secrets, clock } = tools
  const downloads = createOwnerSlots({ perOwnerMax: LINK_DOWNLOADS_PER_ORGANIZATION_MAX })
  return {
    async ofTask(id) {
      const task = requireRow(await tasks.findForOperator(id), 'task', id)
      return openFile(await getTask({ id: task.id, caller: task }), 'video', task.organizationId)
    },
    async ofOwnTask({ id, caller, kind = 'video' }) {
      return openFile(await getTask({ id, caller }), kind, caller.organizationId)
    },
    async ofLink(token) {
      const link = media && readMediaToken(token, secrets)
      if (link === undefined) throw new ApiError('not_found')
      const clip = link.untilMs > clock.nowMs() ? await clips.find(link.id) : undefined
      if (media === undefined || !isKept(clip)) throw new ApiError('content_gone')
      const content = openKept(clip, media)
      return {
        ...content,
        async open(part) {
          const freeSlot = downloads.take(clip.organizationId)
          if (freeSlot === undefined) throw tooManyDownloads()
          if (part.signal.aborted) freeSlot()
          else part.signal.addEventListener('abort', freeSlot)
          return content.open(part)
        },
      }
    },
    async ofAsset(id) {
      const [asset]: StoredAsset[] = await operatorPages.assets({ id, limit: 1 })
      if (asset === undefined) throw new ApiError('asset_not_found')
      const [clip] = media === undefined ? [] : await clips.listOfTasks([id])
      if (media !== undefined && isKept(clip)) return openKept(clip, media)
      const { url } = await getAsset({ id, caller: asset })
      if (url === undefined) throw new ApiError('content_not_ready')
      const { type: kind, organizationId } = asset
      return { open: (part) => openMedia({ ...part, url, kind, organizationId }) }
    },
  }

  async function openFile(view: TaskView, kind: TaskClipKind, organizationId: string): Promise<FoundContent> {
    const { id, content } = view
    if (content?.withheld !== undefined) throw withheld()
    const copies = media === undefined ? [] : await clips.listOfTasks([id])
    const clip = copies.find((copy) => copy.kind === kind)
    if (media !== undefined && isKept(clip)) return openKept(clip, media)
    const wasKept = clip?.state === 'erased'
    if (wasKept && clip.reason === 'operator') throw new ApiError('content_gone')
    const url = content?.[LINK_OF[kind]]
    if (typeof url !== 'string') throw new ApiError(wasKept ? 'content_gone' : 'content_not_ready')
    const ofVendor = { url, organizationId, kind: kind === 'video' ? 'Video' : 'Image' } as const
    return {
      open: (part) =>
        openMedia({ ...part, ...ofVendor }).catch((cause: unknown) => {
          throw wasKept ? new ApiError('content_gone', { cause }) : cause
        }),
    }
  }

  function isKept(clip: StoredClip | undefined): clip is StoredClip {
    return clip?.state === 'kept' && (clip.keptUntilMs ?? 0) > clock.nowMs()
  }
}

function tooManyDownloads(): ApiError {
  const message = 'Too many downloads by links of this organization are open. Wait until one has ended.'
  return new ApiError('rate_limit_exceeded', { message })
}

function withheld(): ApiError {
  const message = 'The result is withheld: a person in it has taken the consent back.'
  return new ApiError('content_gone', { message })
}
