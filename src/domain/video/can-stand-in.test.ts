import { describe, expect, test } from 'vitest'
import { audio, image, media, requestOf, text, video, type Wish } from '../../../test/video/prepare.ts'
import { canStandIn } from './can-stand-in.ts'
import { videoModelOf } from './families/families.ts'

const A = 'vendorA/gen-2.0'
const A_FAST = 'vendorA/gen-2.0-fast'
const B_STD = 'vendorB/gen-v4-std'
const B_FAST = 'vendorB/gen-v4-fast'
const B_V3 = 'vendorB/gen-v3'

function can(wish: Partial<Wish> & { model: string }, standIn: string, likeModel?: string): boolean {
  const request = requestOf({ content: [text('a cat')], ...wish })
  const asked = videoModelOf({ name: wish.model }) ?? expect.fail('no such model')
  const model =
    videoModelOf({ name: standIn, ...(likeModel === undefined ? {} : { likeModel }) }) ??
    expect.fail('no such model')
  return canStandIn(request, { ...asked, order: asked.prepare(request).order }, { name: standIn, model })
}

describe('between families', () => {
  test.each([
    [A, B_STD],
    [A, B_FAST],
    [B_STD, A],
    [B_FAST, A_FAST],
  ])('%s: an order of text alone can go to %s', (model, standIn) => {
    expect(can({ model }, standIn)).toBe(true)
    expect(can({ model, durationSeconds: 8, ratio: '9:16', resolution: '1080p' }, standIn)).toBe(true)
  })

  test.each([
    ['an image', { content: [text('a cat'), image('cat.png')] }],
    ['a video', { content: [text('a cat'), video('cat.mp4')] }],
    ['a seed', { seed: 1 }],
    ['frames per second', { framesPerSecond: 24 }],
    ['a draft', { draft: true }],
    ['a service tier', { serviceTier: 'flex' }],
  ] as const)('%s does not go from family A to family B', (_name, wish) => {
    expect(can({ model: A, ...wish }, B_STD)).toBe(false)
  })

  test('an order with sound does not go to a model without sound', () => {
    expect(can({ model: A, generateAudio: true }, B_STD)).toBe(true)
    expect(can({ model: A, generateAudio: true }, B_FAST)).toBe(false)
  })

  test('frames do not go from family B to family A', () => {
    expect(can({ model: B_STD, content: [text('a cat'), image('cat.png')] }, A)).toBe(false)
  })
})

describe('within a family', () => {
  test('every order of family A can go to its other model', () => {
    const content = [text('a cat'), image('cat.png', { role: 'reference_image' }), audio('cat.mp3')]
    expect(can({ model: A, content, seed: 7 }, A_FAST)).toBe(true)
  })

  test('frames go to the other V4 model, and not to V3, which would read them as references', () => {
    const content = [text('a cat'), image('cat.png')]
    expect(can({ model: B_STD, content }, B_FAST)).toBe(true)
    expect(can({ model: B_STD, content }, B_V3)).toBe(false)
  })

  test('a request that breaks a rule of the stand-in does not go there', () => {
    expect(can({ model: B_STD, generateAudio: true }, B_FAST)).toBe(false)
  })
})

test('assets stay at the provider that keeps them', () => {
  const content = [text('a cat'), media('image', 'asset://asset-1')]
  expect(can({ model: A, content }, A_FAST)).toBe(true)
  expect(can({ model: A, content }, 'acmeA/film', A)).toBe(false)
  expect(can({ model: A }, 'acmeA/film', A)).toBe(true)
})
