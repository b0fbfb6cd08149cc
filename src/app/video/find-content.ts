import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { TaskView } from '../../domain/video/task-view.ts'
import type { StoredAsset } from '../../ports/asset-store.ts'
import type { Media, OpenMedia } from '../../ports/media.ts'
import type { OperatorPageStore } from '../../ports/operator-pages.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import { noSuch } from '../access/no-such.ts'
import type { GetAsset } from '../assets/get-asset.ts'
import type { GetTask } from './get-task.ts'

/** Opens videos and assets for an operator's browser or an owner, proxied, so that nothing is loaded from other hosts. */
export interface FindContent {
  ofTask(id: string): Promise<OpenContent>
  /** Only finds tasks of the calling key. */
  ofOwnTask(question: { id: string; caller: Caller }): Promise<OpenContent>
  ofAsset(id: string): Promise<OpenContent>
}

/** `signal` is aborted when the browser has left. */
export type OpenContent = (part: { range: string | undefined; signal: AbortSignal }) => Promise<Media>

/** Asks the vendor for a fresh link first, as `getTask` and `getAsset` do. */
export function findContent(tools: {
  tasks: Pick<TaskStore, 'findForOperator'>
  operatorPages: Pick<OperatorPageStore, 'assets'>
  getTask: GetTask
  getAsset: GetAsset
  openMedia: OpenMedia
}): FindContent {
  const { tasks, operatorPages, getTask, getAsset, openMedia } = tools
  return {
    async ofTask(id) {
      const task = await tasks.findForOperator(id)
      if (task === undefined) throw noSuch('task', id)
      return openVideo(await getTask({ id: task.id, caller: task }), task.organizationId)
    },
    async ofOwnTask({ id, caller }) {
      return openVideo(await getTask({ id, caller }), caller.organizationId)
    },
    async ofAsset(id) {
      const [asset]: StoredAsset[] = await operatorPages.assets({ id, limit: 1 })
      if (asset === undefined) throw new ApiError('asset_not_found')
      const { url } = await getAsset({ id, caller: asset })
      if (url === undefined) throw new ApiError('content_not_ready')
      const { type: kind, organizationId } = asset
      return (part) => openMedia({ ...part, url, kind, organizationId })
    },
  }

  function openVideo({ content }: TaskView, organizationId: string): OpenContent {
    if (content?.withheld !== undefined) throw withheld()
    const url = content?.video_url
    if (typeof url !== 'string') throw new ApiError('content_not_ready')
    return (part) => openMedia({ ...part, url, kind: 'Video', organizationId })
  }
}

function withheld(): ApiError {
  const message = 'The result is withheld: a person in it has taken the consent back.'
  return new ApiError('content_not_ready', { message })
}
