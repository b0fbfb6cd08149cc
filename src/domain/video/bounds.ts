import { ApiError } from '../api-error.ts'
import type { VideoRequest } from './request.ts'

/** Values that a vendor is known to take. A member that is left out is not checked here: the vendor decides. */
export interface VideoBounds {
  /** Least and most seconds. */
  duration?: readonly [min: number, max: number]
}

/** Throws 400 with the bound before any money is held: the vendor would fail the task. */
export function checkBounds({ duration }: VideoBounds, { durationSeconds, model }: VideoRequest): void {
  if (duration === undefined || durationSeconds === undefined) return
  const [min, max] = duration
  if (durationSeconds >= min && durationSeconds <= max) return
  const message = `duration must be from ${min} to ${max} seconds for ${model}.`
  throw new ApiError('invalid_parameter', { param: 'duration', message })
}
