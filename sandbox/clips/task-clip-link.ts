import { hash } from 'node:crypto'
import type { SandboxClock } from '../clock.ts'
import type { ScriptWord } from '../tasks/script-words.ts'
import { clipLink } from './clip-link.ts'
import { type PictureSize, pictureSize, type Ratio, type Resolution } from './picture-size.ts'

const SHORT_LINK_MS = 60_000

/** A fresh link to the clip of a task that succeeded. Every task has a label of its own. */
export function taskClipLink(
  task: {
    id: string
    resolution: Resolution
    ratio: Ratio
    videoSeconds: number
    words: readonly ScriptWord[]
  },
  { url, clock }: { url: string; clock: SandboxClock },
): string {
  const size: PictureSize = pictureSize(task.resolution, task.ratio)
  const label = hash('sha256', task.id).slice(0, 6)
  const validSeconds = task.words.includes('short-link') ? clock.realMs(SHORT_LINK_MS) / 1_000 : undefined
  return clipLink({ ...size, seconds: task.videoSeconds, label }, { url, nowMs: clock.nowMs(), validSeconds })
}
