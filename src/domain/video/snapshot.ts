import type { VISIBLE_STATUSES } from './task.ts'

export interface Snapshot {
  status: (typeof VISIBLE_STATUSES)[number]
  /** The vendor's own payload of a finished task; has `video_url` when it succeeded. */
  content: Readonly<Record<string, unknown>> | undefined
  error: TaskError | undefined
  measured: VendorMeasures
}

/** A failure that the gateway decides, without a report of the vendor. */
export function failureSnapshot(code: string, message: string): Snapshot {
  return { status: 'failed', content: undefined, error: { code, message }, measured: {} }
}

export interface TaskError {
  code: string
  message: string
}

export interface VendorMeasures {
  completionTokens?: number
  /** Credits of family B: one credit is 10,000 micro-USD. */
  credits?: number
  seconds?: number
}
