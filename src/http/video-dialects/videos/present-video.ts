import type { DetailedTask } from '../../../app/video/task-details.ts'
import { VIDEO_SIZES } from '../../../domain/billing/estimate-video-tokens.ts'
import { plainResolution } from '../../../domain/catalog/price-row.ts'
import type { TaskStatus } from '../../../domain/video/task.ts'

const LINK_SECONDS = 24 * 3_600

const SHOWN: Record<TaskStatus, { status: string; progress: number }> = {
  submitting: { status: 'queued', progress: 0 },
  queued: { status: 'queued', progress: 0 },
  running: { status: 'in_progress', progress: 50 },
  succeeded: { status: 'completed', progress: 100 },
  failed: { status: 'failed', progress: 0 },
  cancelled: { status: 'failed', progress: 0 },
}

/** The video object under the given id. Prompts are not kept. */
export function presentVideo(task: DetailedTask, id: string): object {
  const { model, createdAtMs, completedAtMs } = task
  const completedAt = completedAtMs === null ? null : seconds(completedAtMs)
  const isCompleted = task.status === 'succeeded' && completedAt !== null
  return {
    id,
    object: 'video',
    created_at: seconds(createdAtMs),
    completed_at: completedAt,
    expires_at: isCompleted ? completedAt + LINK_SECONDS : null,
    model,
    ...SHOWN[task.status],
    prompt: null,
    remixed_from_video_id: null,
    seconds: String(task.order.duration ?? 5),
    size: sizeOf(task),
    error: errorOf(task),
  }
}

/** An order contains both values; only a very old task has no order. */
function sizeOf({ order: { ratio = '16:9', resolution = '720p' } }: DetailedTask): string {
  const known = plainResolution(String(resolution))
  for (const [size, one] of VIDEO_SIZES) if (one.ratio === ratio && one.resolution === known) return size
  return String(resolution)
}

function errorOf({ status, error }: DetailedTask): object | null {
  if (status === 'cancelled') return { code: 'cancelled', message: 'The video was cancelled.' }
  if (status !== 'failed') return null
  const { code, message } = error ?? { code: 'generation_failed', message: 'The generation failed.' }
  return { code, message }
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000)
}
