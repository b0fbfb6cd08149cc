import { expect, it } from 'vitest'
import type { FamilyAItem } from '../../../domain/video/families/a/order.ts'
import type { OrderOptions } from '../../../domain/video/request.ts'
import { toCreateBody } from './map-request.ts'

const NO_OPTIONS: OrderOptions = {
  durationSeconds: undefined,
  ratio: undefined,
  resolution: undefined,
  seed: undefined,
  framesPerSecond: undefined,
  generateAudio: undefined,
  draft: undefined,
  serviceTier: undefined,
}
const TEXT: FamilyAItem = { kind: 'text', text: 'a cat' }

it('sends only values of the client, and the time limit', () => {
  expect(bodyOf({})).toEqual({
    model: 'upstream-id',
    content: [{ type: 'text', text: 'a cat' }],
    execution_expires_after: 172_800,
  })
})

it('sends every kind of content, in the order given', () => {
  const items: FamilyAItem[] = [
    { kind: 'image', url: 'https://m.example/i.png', role: 'reference_image' },
    TEXT,
    { kind: 'video', url: 'asset://up-1', role: 'reference_video' },
    { kind: 'audio', url: 'https://m.example/a.mp3', role: 'reference_audio' },
    { kind: 'image', url: 'https://m.example/j.png', role: undefined },
  ]
  expect(bodyOf({ items })).toMatchObject({
    content: [
      { type: 'image_url', image_url: { url: 'https://m.example/i.png' }, role: 'reference_image' },
      { type: 'text', text: 'a cat' },
      { type: 'video_url', video_url: { url: 'asset://up-1' }, role: 'reference_video' },
      { type: 'audio_url', audio_url: { url: 'https://m.example/a.mp3' }, role: 'reference_audio' },
      { type: 'image_url', image_url: { url: 'https://m.example/j.png' } },
    ],
  })
  expect(JSON.stringify(bodyOf({ items })).match(/"role"/g)).toHaveLength(3)
})

const OPTIONS: [Partial<OrderOptions>, object][] = [
  [{ durationSeconds: 5 }, { duration: 5 }],
  [{ ratio: '9:16' }, { ratio: '9:16' }],
  [{ resolution: '1080p' }, { resolution: '1080p' }],
  [{ seed: 0 }, { seed: 0 }],
  [{ framesPerSecond: 24 }, { framespersecond: 24 }],
  [{ generateAudio: false }, { generate_audio: false }],
  [{ draft: true }, { draft: true }],
  [{ serviceTier: 'flex' }, { service_tier: 'flex' }],
]

it.each(OPTIONS)('%j is sent as %j', (options, sent) => {
  expect(bodyOf({ options })).toEqual({ ...bodyOf({}), ...sent })
})

it('sends an address for notices only if there is one', () => {
  expect(bodyOf({ noticeUrl: 'https://us.example/v1/video/result?token=t' })).toEqual({
    ...bodyOf({}),
    callback_url: 'https://us.example/v1/video/result?token=t',
  })
})

/** Serializes a body as `askVendor` does. */
function bodyOf({
  items = [TEXT],
  options = {},
  noticeUrl,
}: {
  items?: FamilyAItem[]
  options?: Partial<OrderOptions>
  noticeUrl?: string
}): Record<string, unknown> {
  const body = toCreateBody({
    order: { family: 'a', model: 'gen-2.0', items, options: { ...NO_OPTIONS, ...options } },
    upstreamModel: 'upstream-id',
    expiresAfterSeconds: 172_800,
    noticeUrl,
  })
  return JSON.parse(JSON.stringify(body))
}
