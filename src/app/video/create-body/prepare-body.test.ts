import { describe, expect, test } from 'vitest'
import { apiErrorOf } from '../../../../test/api-error-of.ts'
import { A, EDGE, V3, V4, videoModel } from '../../../../test/video/prepare.ts'
import { parseCreateTask } from './parse-create-task.ts'

/** Returns the order for a create body as a client sends it. */
function prepareBody(model: string, content: unknown[], more: object = {}) {
  const body = { model, content, ...more }
  return videoModel(model).prepare(parseCreateTask(body, Buffer.from(JSON.stringify(body)), EDGE)).order
}

function expectRefused(prepare: () => unknown, code: string, param: string, ...words: string[]): void {
  const refused = apiErrorOf(prepare)
  expect(refused).toMatchObject({ status: 400, code, param })
  for (const word of words) expect(refused.message).toContain(word)
}

const link = (name: string) => `https://media.example/${name}`
const text = (words: string, role?: string) => ({ type: 'text', text: words, role })
const image = (name: string, fields: object = {}) => media('image', name, fields)
const media = (kind: 'image' | 'video' | 'audio', name: string, fields: object = {}) => ({
  type: `${kind}_url`,
  [`${kind}_url`]: { url: link(name) },
  ...fields,
})
const cat = [text('a cat')]

describe('task_type', () => {
  test.each(['', '  ', null])('%j is inferred', (task_type) => {
    expect(prepareBody(V4, cat, { task_type })).toMatchObject({ work: { taskType: 'text-to-video' } })
  })

  test('blanks are trimmed', () => {
    const content = [image('a.png', { tag: 'a' })]
    const order = prepareBody(V4, content, { task_type: ' omni-video ' })
    expect(order).toMatchObject({ work: { taskType: 'omni-video' } })
  })

  test.each(['nonsense', 'x'.repeat(200), 7, {}, ['reference'], true])(
    '%j is not used for family A',
    (task_type) => {
      expect(prepareBody(A, cat, { task_type })).toMatchObject({ family: 'a' })
    },
  )
})

describe('a tag', () => {
  test.each([
    ['image with an empty tag', image('dog.png', { tag: '' })],
    ['video with a blank tag', media('video', 'dog.mp4', { tag: ' \t' })],
    ['audio with nothing but the sign', media('audio', 'dog.mp3', { tag: ' @ ' })],
    ['audio with a number for a tag', media('audio', 'dog.mp3', { tag: 1 })],
  ])('omni-video: 400 for an %s', (_name, item) => {
    const content = [image('cat.png', { tag: 'cat' }), item]
    const prepare = () => prepareBody(V4, content, { task_type: 'omni-video' })
    expectRefused(prepare, 'missing_parameter', 'content[1].tag', 'omni-video')
  })

  test.each([[undefined], [null], [''], ['   '], ['@'], [7]])(
    'image-to-video: 400 for a mid_frame with %j',
    (tag) => {
      const content = [image('first.png'), image('mid.png', { role: 'mid_frame', tag })]
      expectRefused(() => prepareBody(V4, content), 'missing_parameter', 'content[1].tag', 'mid_frame')
    },
  )

  test.each(['cat', '@cat', ' cat '])('image-to-video: 400 for a second mid_frame with %j', (tag) => {
    const content = [
      image('1.png', { role: 'mid_frame', tag: 'cat' }),
      image('2.png', { role: 'mid_frame', tag }),
    ]
    expectRefused(() => prepareBody(V4, content), 'unsupported_combination', 'content[1].tag', 'mid_frame')
  })

  test('omni-video: tags lose their blanks before audio is matched to its image', () => {
    const content = [
      image('cat.png', { tag: 'cat' }),
      media('audio', 'cat.mp3', { tag: ' cat ', role: 'anything' }),
    ]
    expect(prepareBody(V4, content)).toMatchObject({
      work: { images: [{ tag: '@cat', audioUrl: link('cat.mp3') }] },
    })
  })
})

describe('time_stamp', () => {
  const midFrame = (time_stamp: unknown) => image('mid.png', { role: 'mid_frame', tag: 'mid', time_stamp })

  test.each([[-1], [-0.5], [Number.POSITIVE_INFINITY], [1e300], ['2'], [true], [[2]], [{}]])(
    '400 for %j',
    (time_stamp) => {
      expectRefused(
        () => prepareBody(V4, [midFrame(time_stamp)]),
        'invalid_parameter',
        'content[0].time_stamp',
      )
    },
  )

  test('null counts as not given', () => {
    expect(prepareBody(V4, [midFrame(null)])).toMatchObject({
      work: { midFrames: [{ timeStampSeconds: undefined }] },
    })
  })

  test('where it has no effect, it is dropped as an extra field', () => {
    expect(prepareBody(A, [image('first.png', { time_stamp: 'x' })])).toMatchObject({ family: 'a' })
  })
})

test.each([
  ['cutshot', 'cut_type'],
  ['restyling', 'style_name'],
])('%s: 400 with an empty text', (task_type, role) => {
  const content = [media('video', 'street.mp4', { role: 'prefix_video' }), text('  ', role)]
  const prepare = () => prepareBody(V3, content, { task_type })
  expectRefused(prepare, 'missing_parameter', 'content', task_type, role)
})

test.each([A, V4])('%s: the order has exactly the values of the client, without blanks', (model) => {
  const given = {
    duration: 6,
    ratio: ' 9:16 ',
    resolution: ' 4k ',
    seed: -1,
    framespersecond: 30,
    generate_audio: false,
    draft: true,
    service_tier: ' flex ',
  }
  expect(prepareBody(model, cat, given)).toMatchObject({
    options: {
      durationSeconds: 6,
      ratio: '9:16',
      resolution: '4k',
      seed: -1,
      framesPerSecond: 30,
      generateAudio: false,
      draft: true,
      serviceTier: 'flex',
    },
  })
})
