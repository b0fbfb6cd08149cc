import { expect } from 'vitest'
import type { VideoUse } from '../../src/domain/billing/estimate-video-cost.ts'
import type { FamilyBWork } from '../../src/domain/video/families/b/order.ts'
import { type VideoModel, type VideoOrder, videoModelOf } from '../../src/domain/video/families/families.ts'
import type { PreparedOrder } from '../../src/domain/video/families/family.ts'
import type { OrderOptions } from '../../src/domain/video/families/order-options.ts'
import type { VideoRequest } from '../../src/domain/video/request.ts'
import { parseCreateTask } from '../../src/http/operations/create-task/parse-create-task.ts'
import { apiErrorOf } from '../api-error-of.ts'

export const A = 'vendorA/gen-2.0'
export const V4 = 'vendorB/gen-v4-std'
export const V4_FAST = 'vendorB/gen-v4-fast'
export const V3 = 'vendorB/gen-v3'

export interface Body {
  model: string
  content: unknown
  [more: string]: unknown
}

/** A create body as a client sends it, all the way to the order. */
export function prepare(body: Body): VideoOrder {
  return prepareBody(body).order
}

/** What the price of such a body is chosen by. */
export function useOf(body: Body): VideoUse {
  return prepareBody(body).use
}

function prepareBody(body: Body): PreparedOrder<VideoOrder> {
  return videoModel(body.model).prepare(read(body))
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

/** A create body as a client sends it, as far as the edge reads it. */
export function read(body: Body): VideoRequest {
  return parseCreateTask(body, Buffer.from(JSON.stringify(body)), EDGE)
}

export function optionsOf(body: Body): OrderOptions {
  const order = prepare(body)
  if ('options' in order) return order.options
  throw new TypeError('This order has no options.')
}

export function workOf(body: Body): FamilyBWork {
  const order = prepare(body)
  if (order.family === 'b') return order.work
  throw new TypeError('This order is of family A.')
}

/** The body is refused with 400 under this code and parameter, in words that hold all of these. */
export function expectRefused(body: Body, code: string, param: string, ...words: string[]): void {
  const refused = apiErrorOf(() => prepare(body))
  expect(refused).toMatchObject({ status: 400, code, param })
  for (const word of words) expect(refused.message).toContain(word)
}

export const text = (words: string, role?: string) => ({ type: 'text', text: words, role })

interface ItemFields {
  role?: unknown
  tag?: unknown
  time_stamp?: unknown
}

export const image = (name: string, fields: ItemFields = {}) => ({
  type: 'image_url',
  image_url: { url: linkTo(name) },
  ...fields,
})

export const video = (name: string, fields: ItemFields = {}) => ({
  type: 'video_url',
  video_url: { url: linkTo(name) },
  ...fields,
})

export const audio = (name: string, fields: ItemFields = {}) => ({
  type: 'audio_url',
  audio_url: { url: linkTo(name) },
  ...fields,
})

export const linkTo = (name: string) => `https://media.example/${name}`
