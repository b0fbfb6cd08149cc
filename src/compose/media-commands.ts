import { draftAudit } from '../app/draft-audit.ts'
import { checkMedia, type MediaReport } from '../app/media/check-media.ts'
import type { ErasedFile } from '../domain/video/clip.ts'
import type { StoredClip } from '../ports/clips.ts'
import type { Config } from './config.ts'
import { openMediaStore } from './media.ts'
import { composeOperator } from './operator.ts'

export interface MediaCommands {
  /** undefined: `MEDIA_STORE` is off. */
  check: (() => Promise<MediaReport>) | undefined
  /** Lists copies, the newest first. */
  list(query: { organizationId?: string | undefined; limit: number }): Promise<StoredClip[]>
  /** Erases copies; a running gateway removes the files. undefined: the task has no copy. */
  erase(taskId: string): Promise<ErasedFile[] | undefined>
}

export async function withMedia<Result>(
  config: Config,
  work: (media: MediaCommands) => Promise<Result>,
): Promise<Result> {
  const { store, tools, close } = await composeOperator(config)
  try {
    const opened = await openMediaStore(config, tools)
    return await work({
      check: opened && checkMedia({ ...store, ...opened }),
      list: (query) => store.clips.page(query),
      erase(taskId) {
        const act = { action: 'media.erase', organizationId: null, subject: taskId, detail: {} }
        return store.clips.eraseOfTask(taskId, draftAudit(act, { ...tools, actor: 'cli' }))
      },
    })
  } finally {
    await close()
  }
}
