import { UNKNOWN_REFERENCE_SECONDS } from '../billing/video-defaults.ts'
import type { FamilyBWork, VideoOrder } from './order.ts'
import type { Ratio } from './request.ts'

/** What the price of an order hangs on, as far as the client said; undefined is for the estimator to fill. */
export interface EstimateInput {
  resolution: string | undefined
  ratio: Ratio | undefined
  seconds: number | undefined
  hasVideoInput: boolean
  audio: boolean | undefined
}

export function estimateInput(order: VideoOrder): EstimateInput {
  const { resolution, ratio, generateAudio } = order.options
  return {
    resolution,
    ratio,
    seconds: secondsOf(order),
    hasVideoInput: hasVideoInput(order),
    audio: generateAudio,
  }
}

/** A restyled video is as long as the one it is made of, whatever `duration` says: the vendor is not told of it. */
function secondsOf(order: VideoOrder): number | undefined {
  const isRestyling = order.family === 'b' && order.work.taskType === 'restyling'
  return isRestyling ? UNKNOWN_REFERENCE_SECONDS : order.options.durationSeconds
}

function hasVideoInput(order: VideoOrder): boolean {
  return order.family === 'a'
    ? order.items.some(({ kind }) => kind === 'video')
    : TAKES_VIDEO[order.work.taskType] ||
        (order.work.taskType === 'omni-video' && order.work.video !== undefined)
}

const TAKES_VIDEO: Readonly<Record<FamilyBWork['taskType'], boolean>> = {
  'text-to-video': false,
  'image-to-video': false,
  'omni-video': false,
  reference: false,
  extension: true,
  cutshot: true,
  restyling: true,
}
