import { isObject } from './field-checks.ts'
import type { Detail } from './reply.ts'

/** A complaint about fields that are right one by one but not together. */
export type WorkRule = (body: Readonly<Record<string, unknown>>) => Detail | undefined

export const silentWhenFast: WorkRule = ({ mode, sound }) =>
  mode === 'fast' && sound === true ? complain('sound', 'the fast mode makes no sound') : undefined

export const needsAFrame: WorkRule = (body) =>
  body.first_frame_image === undefined &&
  body.end_frame_image === undefined &&
  listIn(body, 'mid_frame_images').length === 0
    ? complain('first_frame_image', 'at least one frame is required')
    : undefined

export const needsSomethingToShow: WorkRule = (body) =>
  listIn(body, 'ref_images').length + listIn(body, 'ref_videos').length === 0 && !body.prompt
    ? complain('prompt', 'a prompt or a reference is required')
    : undefined

export const oneImagePerGrid: WorkRule = (body) =>
  listIn(body, 'ref_images').some(
    (entry) => entry.type === 'grid' && (!hasOneImage(entry.image_urls) || entry.audio_url !== undefined),
  )
    ? complain('ref_images', 'a grid is one image without audio')
    : undefined

export const noExtendWithImages: WorkRule = (body) =>
  listIn(body, 'ref_images').length > 0 && listIn(body, 'ref_videos').some(({ type }) => type === 'extend')
    ? complain('ref_videos', 'extend cannot be combined with images')
    : undefined

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
