import type { VideoUse } from '../../../billing/estimate-video-cost.ts'
import { UNKNOWN_REFERENCE_SECONDS } from '../../../billing/video-defaults.ts'
import type { FamilyBOrder, FamilyBWork } from './order.ts'

/** However long a video reference is, it only decides which price applies. */
export function useOf({ work, options }: Pick<FamilyBOrder, 'work' | 'options'>): Omit<VideoUse, 'unit'> {
  return {
    resolution: options.resolution,
    ratio: options.ratio,
    // A restyled video is as long as the one it is made of, whatever `duration` says: the vendor is not told of it.
    seconds: work.taskType === 'restyling' ? UNKNOWN_REFERENCE_SECONDS : options.durationSeconds,
    referenceSeconds: takesVideo(work) ? [null] : [],
    audio: options.generateAudio ?? false,
  }
}

function takesVideo(work: FamilyBWork): boolean {
  return work.taskType === 'omni-video' ? work.video !== undefined : TAKES_VIDEO[work.taskType]
}

const TAKES_VIDEO: Readonly<Record<Exclude<FamilyBWork['taskType'], 'omni-video'>, boolean>> = {
  'text-to-video': false,
  'image-to-video': false,
  reference: false,
  extension: true,
  cutshot: true,
  restyling: true,
}
