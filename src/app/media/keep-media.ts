import { clipFolder } from '../../domain/video/clip.ts'
import type { ClipStore } from '../../ports/clips.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { MediaStage, MediaStore } from '../../ports/media-store.ts'

const BATCH_MAX = 100

/**
 * Erases copies whose time is over, and removes the files of erased and given-up copies. The row changes first: links
 * fail immediately, and a process that dies in between leaves a row that names the files to remove.
 */
export function keepMedia(tools: {
  clips: Pick<ClipStore, 'eraseExpired' | 'listWithFiles' | 'forgetFiles'>
  media: Pick<MediaStore, 'remove'>
  stage: Pick<MediaStage, 'tidy'>
  clock: Clock
  log: Log
}): () => Promise<void> {
  const { clips, media, stage, clock, log } = tools
  return async () => {
    await clips.eraseExpired({ nowMs: clock.nowMs(), limit: BATCH_MAX })
    for (const clip of await clips.listWithFiles({ nowMs: clock.nowMs(), limit: BATCH_MAX }))
      try {
        await media.remove(clipFolder(clip))
        await clips.forgetFiles(clip.id)
      } catch (error) {
        log.warn('clip.not_removed', { organizationId: clip.organizationId, error })
      }
    await stage.tidy()
  }
}
