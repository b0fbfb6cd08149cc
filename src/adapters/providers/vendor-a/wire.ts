/** Body of a create call, without undefined members. */
export interface CreateBody {
  model: string
  content: readonly ContentPart[]
  ratio: string | undefined
  resolution: string | undefined
  duration: number | undefined
  seed: number | undefined
  framespersecond: number | undefined
  generate_audio: boolean | undefined
  draft: boolean | undefined
  service_tier: string | undefined
  watermark: boolean | undefined
  return_last_frame: boolean | undefined
  execution_expires_after: number
  callback_url: string | undefined
}

export type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string }; role: string | undefined }
  | { type: 'video_url'; video_url: { url: string }; role: string | undefined }
  | { type: 'audio_url'; audio_url: { url: string }; role: string | undefined }

export const TASKS_PATH = '/contents/generations/tasks'

/** Statuses of this vendor; an unknown one counts as running. */
export const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const
