import { ApiError } from '../../domain/api-error.ts'
import type { StoredAsset } from '../../ports/asset-store.ts'
import type { Media, OpenMedia } from '../../ports/media.ts'
import type { OperatorPageStore } from '../../ports/operator-pages.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import { noSuch } from '../access/no-such.ts'
import type { GetAsset } from '../assets/get-asset.ts'
import type { GetTask } from './get-task.ts'

/** What was made or is kept, for an operator's browser: it comes through us, so that a page loads nothing from elsewhere. */
export interface OpenContent {
  ofTask(question: { id: string; range: string | undefined }): Promise<Media>
  ofAsset(question: { id: string; range: string | undefined }): Promise<Media>
}

/** The vendor is asked for a fresh link first, as it is for the owner. */
export function openContent({
  tasks,
  operatorPages,
  getTask,
  getAsset,
  openMedia,
}: {
  tasks: Pick<TaskStore, 'findForOperator'>
  operatorPages: Pick<OperatorPageStore, 'assets'>
  getTask: GetTask
  getAsset: GetAsset
  openMedia: OpenMedia
}): OpenContent {
  return {
    async ofTask({ id, range }) {
      const task = await tasks.findForOperator(id)
      if (task === undefined) throw noSuch('task', id)
      if (task.withheldAtMs !== null) throw withheld()
      const { content } = await getTask({ id, caller: task })
      const url = content?.video_url
      if (typeof url !== 'string') throw new ApiError('content_not_ready')
      return openMedia({ url, kind: 'Video', range, organizationId: task.organizationId })
    },
    async ofAsset({ id, range }) {
      const [asset]: StoredAsset[] = await operatorPages.assets({ id, limit: 1 })
      if (asset === undefined) throw new ApiError('asset_not_found')
      const { url } = await getAsset({ id, caller: asset })
      if (url === undefined) throw new ApiError('content_not_ready')
      return openMedia({ url, kind: asset.type, range, organizationId: asset.organizationId })
    },
  }
}

function withheld(): ApiError {
  const message = 'The result is withheld: a person in it has taken the consent back.'
  return new ApiError('content_not_ready', { message })
}
