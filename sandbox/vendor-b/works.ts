import {
  aBoolean,
  aLink,
  aRatio,
  aShortWord,
  aString,
  aTag,
  aText,
  type BodyCheck,
  isObject,
  listOf,
  objectOf,
  oneOf,
  type Shape,
  wholeNumber,
} from './field-checks.ts'
import type { Detail } from './reply.ts'

const silentWhenFast: WorkRule = ({ mode, sound }) =>
  mode === 'fast' && sound === true ? complain('sound', 'the fast mode makes no sound') : undefined

const needsAFrame: WorkRule = (body) =>
  body.first_frame_image === undefined &&
  body.end_frame_image === undefined &&
  listIn(body, 'mid_frame_images').length === 0
    ? complain('first_frame_image', 'at least one frame is required')
    : undefined

const needsSomethingToShow: WorkRule = (body) =>
  listIn(body, 'ref_images').length + listIn(body, 'ref_videos').length === 0 && !body.prompt
    ? complain('prompt', 'a prompt or a reference is required')
    : undefined

const oneImagePerGrid: WorkRule = (body) =>
  listIn(body, 'ref_images').some(
    (entry) => entry.type === 'grid' && (!hasOneImage(entry.image_urls) || entry.audio_url !== undefined),
  )
    ? complain('ref_images', 'a grid is one image without audio')
    : undefined

const noExtendWithImages: WorkRule = (body) =>
  listIn(body, 'ref_images').length > 0 && listIn(body, 'ref_videos').some(({ type }) => type === 'extend')
    ? complain('ref_videos', 'extend cannot be combined with images')
    : undefined

export interface Work {
  check: BodyCheck
  /** Rules about several fields. */
  rules: readonly WorkRule[]
}

const videoSeconds = wholeNumber({ min: 1, max: 60 })

/** Fields of every call. */
const ANYWHERE = { aspect_ratio: aRatio, resolution: aShortWord }
const V4 = { duration: videoSeconds, sound: aBoolean }
const MODE = { mode: oneOf('std', 'fast') }

const midFrame = objectOf({
  required: { tag: aTag, image_url: aLink },
  optional: { time_stamp: wholeNumber({ min: 0, max: 60 }) },
})
const taggedImages = objectOf({
  required: { tag: aTag, type: oneOf('image', 'grid'), image_urls: listOf(aLink, { min: 1, max: 20 }) },
  optional: { audio_url: aLink },
})
const taggedVideo = objectOf({
  required: { tag: aTag, type: oneOf('reference', 'extend'), video_url: aLink },
})

/** Works by the part of the path that names them. */
export const WORKS: Readonly<Record<string, Work>> = {
  text2video: work({ required: { prompt: aText, ...MODE }, optional: V4 }, [silentWhenFast]),
  image2video: work(
    {
      required: MODE,
      optional: {
        ...V4,
        prompt: aString,
        first_frame_image: aLink,
        end_frame_image: aLink,
        mid_frame_images: listOf(midFrame, { max: 20 }),
      },
    },
    [silentWhenFast, needsAFrame],
  ),
  'omni-video': work(
    {
      required: MODE,
      optional: {
        ...V4,
        prompt: aString,
        ref_images: listOf(taggedImages, { max: 20 }),
        ref_videos: listOf(taggedVideo, { max: 1 }),
      },
    },
    [silentWhenFast, needsSomethingToShow, oneImagePerGrid, noExtendWithImages],
  ),
  multiobject: work({
    required: { prompt: aText, ref_images: listOf(aLink, { min: 1, max: 4 }) },
    optional: { duration: videoSeconds },
  }),
  extension: work({
    required: { prompt: aText, prefix_video: aLink },
    optional: { duration: videoSeconds },
  }),
  'extension/cutshot': work({
    required: { prefix_video: aLink, cut_type: aText },
    optional: { prompt: aString, duration: videoSeconds },
  }),
  styletransfer: work({ required: { video_url: aLink, style_name: aText } }),
}

function work({ required, optional }: Shape, rules: readonly WorkRule[] = []): Work {
  return { check: objectOf({ required, optional: { ...ANYWHERE, ...optional } }), rules }
}

/** Checks fields that are valid alone but not together. */
type WorkRule = (body: Readonly<Record<string, unknown>>) => Detail | undefined

function listIn(body: Readonly<Record<string, unknown>>, name: string): Record<string, unknown>[] {
  const value = body[name]
  return Array.isArray(value) ? value.filter(isObject) : []
}

function hasOneImage(urls: unknown): boolean {
  return Array.isArray(urls) && urls.length === 1
}

function complain(field: string, msg: string): Detail {
  return { loc: ['body', field], msg, type: 'value_error' }
}
