import { isResolution } from '../clips/picture-size.ts'
import { taskClipLink } from '../clips/task-clip-link.ts'
import type { SandboxClock } from '../clock.ts'
import { type Ending, lifeOf, stepAt } from '../tasks/life.ts'
import type { VendorBAnswer } from './reply.ts'
import type { VendorBTask } from './task.ts'

/** What this vendor says of a task now; undefined: it has forgotten it. */
export function pollAnswer(
  task: VendorBTask,
  where: { clock: SandboxClock; url: string },
): VendorBAnswer | undefined {
  const taskId = task.id
  const life = lifeOf({ ...task, expiresAfterSeconds: undefined }, where.clock)
  const { stage } = stepAt(life, where.clock.nowMs())
  switch (stage) {
    case 'gone':
      return undefined
    case 'queued':
      return { taskId, code: 200, status: 'pending', msg: 'Waiting' }
    case 'running': {
      const status = task.words.includes('odd-status') ? 'unknown' : 'running'
      return { taskId, code: 200, status, msg: 'Generating' }
    }
    case 'succeeded':
      return { taskId, code: 200, status: 'success', msg: 'Done', data: dataOf(task, where) }
    default:
      return { taskId, status: 'failed', ...FAILURES[stage] }
  }
}

/** Of the ways to end, this vendor has a word for one only. */
const FAILURES: Readonly<Record<Exclude<Ending, 'succeeded' | 'gone'>, { code: number; msg: string }>> = {
  failed: { code: 200, msg: 'The video could not be generated' },
  moderated: { code: 482, msg: 'The video did not pass the safety check' },
  'bad-media': { code: 422, msg: 'A reference could not be downloaded' },
  expired: { code: 200, msg: 'The task took too long' },
  cancelled: { code: 200, msg: 'The task was cancelled' },
}

const CREDITS_PER_SECOND = 12

function dataOf(
  task: VendorBTask,
  { clock, url }: { clock: SandboxClock; url: string },
): Record<string, unknown> {
  const { words, videoSeconds } = task
  const resolution = isResolution(task.resolution) ? task.resolution : '720p'
  return {
    ...(words.includes('no-video')
      ? {}
      : { video_url: taskClipLink({ ...task, resolution }, { url, clock }) }),
    ...(words.includes('no-usage') ? {} : { duration: videoSeconds, resolution: task.resolution }),
    ...(words.includes('credits') ? { cost_credits: videoSeconds * CREDITS_PER_SECOND } : {}),
  }
}
