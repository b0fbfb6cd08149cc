import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import { CLIP_KINDS, LINK_OF } from '../../domain/video/clip.ts'
import type { TaskView } from '../../domain/video/task-view.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { TaskStore } from '../../ports/tasks.ts'
import type { OwnLinks } from '../media/own-links.ts'
import { viewOf } from './encrypted.ts'
import type { SyncTask } from './sync-task.ts'

export type GetTask = (question: { id: string; caller: Pick<Caller, 'keyId'> }) => Promise<TaskView>

/** Returns a task of the calling key, in the latest state that the vendor reports in time. */
export function getTask(tools: {
  tasks: Pick<TaskStore, 'find'>
  sync: SyncTask
  secrets: Secrets
  /** Left out: no files are kept. */
  links?: OwnLinks | undefined
}): GetTask {
  const { tasks, sync, secrets, links } = tools
  return async ({ id, caller }) => {
    const task = await tasks.find({ id, keyId: caller.keyId })
    if (task === undefined) throw new ApiError('task_not_found')
    const own = task.status === 'succeeded' ? (await links?.([id]))?.get(id) : undefined
    const view = viewOf(task, secrets, own)
    // The vendor's links expire, so the vendor is asked unless kept copies replace all of its links.
    const isKept = own && CLIP_KINDS.every((kind) => view.content?.[LINK_OF[kind]] === own[LINK_OF[kind]])
    return isKept ? view : viewOf(await sync(task), secrets, own)
  }
}
