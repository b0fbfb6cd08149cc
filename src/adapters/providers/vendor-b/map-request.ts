import type { FamilyBOrder, FamilyBWork } from '../../../domain/video/families/b/order.ts'
import type { SubmitBody, SubmitOperation } from './wire.ts'

export interface SubmitCall {
  operation: SubmitOperation
  body: SubmitBody
}

/** Adds no defaults to the options of the order, because a default of ours would change the video and its price. */
export function toSubmitCall({ mode, work, options }: FamilyBOrder): SubmitCall {
  const shape = { aspect_ratio: options.ratio, resolution: options.resolution }
  const timed = { ...shape, duration: options.durationSeconds }
  const full = { ...timed, sound: options.generateAudio, mode }
  switch (work.taskType) {
    case 'text-to-video':
      return { operation: 'text2video', body: { ...full, prompt: promptOf(work) } }
    case 'image-to-video':
      return { operation: 'image2video', body: { ...full, prompt: promptOf(work), ...framesOf(work) } }
    case 'omni-video':
      return { operation: 'omni-video', body: { ...full, prompt: promptOf(work), ...referencesOf(work) } }
    case 'reference':
      return { operation: 'multiobject', body: { ...timed, prompt: promptOf(work), ref_images: work.images } }
    case 'extension':
      return {
        operation: 'extension',
        body: { ...timed, prompt: promptOf(work), prefix_video: work.prefixVideo },
      }
    case 'cutshot':
      return {
        operation: 'extension/cutshot',
        body: { ...timed, prompt: promptOf(work), prefix_video: work.prefixVideo, cut_type: work.cutType },
      }
    case 'restyling':
      return {
        operation: 'styletransfer',
        body: { ...shape, video_url: work.videoUrl, style_name: work.styleName },
      }
  }
}

/** Leaves an empty prompt out, which the vendor treats differently from a missing one. */
function promptOf({ prompt }: { prompt: string }): string | undefined {
  return prompt === '' ? undefined : prompt
}

function framesOf(work: FamilyBWork & { taskType: 'image-to-video' }): SubmitBody {
  const midFrames = work.midFrames.map(({ tag, url, timeStampSeconds }) => ({
    tag,
    image_url: url,
    time_stamp: timeStampSeconds,
  }))
  return {
    first_frame_image: work.firstFrame,
    end_frame_image: work.endFrame,
    mid_frame_images: midFrames.length === 0 ? undefined : midFrames,
  }
}

function referencesOf(work: FamilyBWork & { taskType: 'omni-video' }): SubmitBody {
  return {
    ref_images:
      work.images.length === 0
        ? undefined
        : work.images.map(({ tag, type, urls, audioUrl }) => ({
            tag,
            type,
            image_urls: urls,
            audio_url: audioUrl,
          })),
    ref_videos:
      work.video === undefined
        ? undefined
        : [{ tag: work.video.tag, type: work.video.type, video_url: work.video.url }],
  }
}
