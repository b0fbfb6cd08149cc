import { taskClipLink } from '../clips/clip-link.ts'
import { pictureSize } from '../clips/picture-size.ts'
import type { SandboxClock } from '../clock.ts'
import type { TaskStage, TaskStep } from '../tasks/life.ts'
import { withRequestId } from './error-reply.ts'
import type { VendorATask } from './task.ts'

/** A task in the format of this vendor's answers and notices. */
export function taskObject(
  task: VendorATask,
  { step, clock, url }: { step: TaskStep; clock: SandboxClock; url: string },
): Record<string, unknown> {
  const { words } = task
  const succeeded = step.stage === 'succeeded'
  const video = words.includes('no-video') ? {} : { video_url: taskClipLink(task, { url, clock }) }
  const frame = task.returnsLastFrame
    ? { last_frame_url: taskClipLink(task, { url, clock, picture: true }) }
    : {}
  return {
    id: task.id,
    model: task.model,
    status: statusOf(task, step.stage),
    error: errorOf(step.stage),
    created_at: Math.floor(task.startMs / 1_000),
    updated_at: Math.floor(step.atMs / 1_000),
    ...(succeeded ? { content: { ...video, ...frame } } : {}),
    seed: task.seed,
    resolution: task.resolution,
    ratio: task.ratio,
    duration: task.videoSeconds,
    framespersecond: task.framesPerSecond,
    generate_audio: task.hasAudio,
    draft: task.isDraft,
    service_tier: task.serviceTier,
    execution_expires_after: task.expiresAfterSeconds,
    ...(succeeded && !words.includes('no-usage') ? { usage: usageOf(task) } : {}),
  }
}

export function statusOf({ words }: VendorATask, stage: TaskStage): string {
  if (stage === 'running' && words.includes('odd-status')) return 'processing'
  return stage in ERRORS ? 'failed' : stage
}

const ERRORS: Readonly<Partial<Record<TaskStage, { code: string; message: string }>>> = {
  failed: { code: 'VideoGenerationFailed', message: 'The video could not be generated.' },
  moderated: {
    code: 'OutputVideoSensitiveContentDetected',
    message: 'The request failed because the output video may contain sensitive information.',
  },
  'bad-media': {
    code: 'InvalidParameter.MediaDownloadFailed',
    message: 'A reference could not be downloaded.',
  },
}

function errorOf(stage: TaskStage): { code: string; message: string } | null {
  const error = ERRORS[stage]
  return error === undefined ? null : { code: error.code, message: withRequestId(error.message) }
}

/** Length that each reference video counts as: its real length is not read. */
const REFERENCE_VIDEO_SECONDS = 5

export function usageOf(task: VendorATask): { completion_tokens: number; total_tokens: number } {
  const { width, height } = pictureSize(task.resolution, task.ratio)
  const seconds = task.videoSeconds + task.referenceVideos * REFERENCE_VIDEO_SECONDS
  const tokens = Math.floor((width * height * (24 * seconds + 1)) / 1_024)
  return { completion_tokens: tokens, total_tokens: tokens }
}
