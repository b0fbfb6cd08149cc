import { expect } from 'vitest'
import type { VideoUse } from '../../src/domain/billing/estimate-video-cost.ts'
import type { FamilyBWork } from '../../src/domain/video/families/b/order.ts'
import { type VideoModel, type VideoOrder, videoModelOf } from '../../src/domain/video/families/families.ts'
import type { PreparedOrder } from '../../src/domain/video/families/family.ts'
import type {
  MediaItem,
  MediaKind,
  OrderOptions,
  TextItem,
  VideoRequest,
} from '../../src/domain/video/request.ts'
import { apiErrorOf } from '../api-error-of.ts'

export const A = 'vendorA/gen-2.0'
export const V4 = 'vendorB/gen-v4-std'
export const V4_FAST = 'vendorB/gen-v4-fast'
export const V3 = 'vendorB/gen-v3'

/** A request as the edge has read it: left-out fields were not given, and `undefined` in `content` is a dropped item. */
export interface Wish extends Partial<Omit<VideoRequest, 'model' | 'items'>> {
  model: string
  content: readonly (WishedItem | undefined)[]
}

type WishedItem = Omit<TextItem, 'index'> | Omit<MediaItem, 'index'>

/** Applies the rules of its model to a request, and returns the order. */
export function prepare(wish: Wish): VideoOrder {
  return prepareWish(wish).order
}

/** Values that choose the price of a request. */
export function useOf(wish: Wish): VideoUse {
  return prepareWish(wish).use
}

function prepareWish(wish: Wish): PreparedOrder<VideoOrder> {
  return videoModel(wish.model).prepare(requestOf(wish))
}

export function videoModel(name: string): VideoModel {
  const model = videoModelOf({ name })
  if (model === undefined) throw new TypeError(`${name} is no video model.`)
  return model
}

/** Every URL is allowed, and the catalog adds no model to those of the families. */
export const EDGE = {
  isAllowedUrl: () => true,
  findVideoModel: (name: string) => videoModelOf({ name }),
}

export function requestOf({ content, ...given }: Wish): VideoRequest {
  const items = content.flatMap((item, index) => (item === undefined ? [] : { ...item, index }))
  return { ...NOTHING_GIVEN, ...given, items }
}

const NOTHING_GIVEN = {
  taskType: undefined,
  durationSeconds: undefined,
  ratio: undefined,
  resolution: undefined,
  seed: undefined,
  framesPerSecond: undefined,
  generateAudio: undefined,
  draft: undefined,
  serviceTier: undefined,
  callbackUrl: undefined,
  executionExpiresAfterSeconds: undefined,
  metadata: '{}',
}

export function optionsOf(wish: Wish): OrderOptions {
  const order = prepare(wish)
  if ('options' in order) return order.options
  throw new TypeError('This order has no options.')
}

export function workOf(wish: Wish): FamilyBWork {
  const order = prepare(wish)
  if (order.family === 'b') return order.work
  throw new TypeError('This order is of family A.')
}

/** Expects status 400 with this code and parameter, and a message with all of these words. */
export function expectRefused(wish: Wish, code: string, param: string, ...words: string[]): void {
  const refused = apiErrorOf(() => prepare(wish))
  expect(refused).toMatchObject({ status: 400, code, param })
  for (const word of words) expect(refused.message).toContain(word)
}

export const text = (words: string, role?: string): WishedItem => ({ kind: 'text', text: words, role })

type MediaFields = Partial<Pick<MediaItem, 'role' | 'tag' | 'timeStampSeconds'>>

export const media = (kind: MediaKind, url: string, fields: MediaFields = {}): WishedItem => ({
  kind,
  url,
  role: undefined,
  tag: undefined,
  timeStampSeconds: undefined,
  ...fields,
})

export const image = (name: string, fields?: MediaFields) => media('image', linkTo(name), fields)

export const video = (name: string, fields?: MediaFields) => media('video', linkTo(name), fields)

export const audio = (name: string, fields?: MediaFields) => media('audio', linkTo(name), fields)

export const linkTo = (name: string) => `https://media.example/${name}`
