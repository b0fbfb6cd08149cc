import { expect, test } from 'vitest'
import { A, expectRefused, image, prepare, V4, workOf } from '../../../../test/video/prepare.ts'

const midFrame = (time_stamp: unknown) => image('mid.png', { role: 'mid_frame', tag: 'mid', time_stamp })

test.each([[-1], [-0.5], [Number.POSITIVE_INFINITY], [1e300], ['2'], [true], [[2]], [{}]])(
  'image-to-video: 400 for a time_stamp of %j',
  (time_stamp) => {
    const content = [midFrame(time_stamp)]
    expectRefused({ model: V4, content }, 'invalid_parameter', 'content[0].time_stamp')
  },
)

test.each([
  [0, 0],
  [2, 2],
  [2.999, 2],
  [undefined, undefined],
  [null, undefined],
])('image-to-video: a time_stamp of %j becomes %j whole seconds', (time_stamp, timeStampSeconds) => {
  expect(workOf({ model: V4, content: [midFrame(time_stamp)] })).toMatchObject({
    midFrames: [{ timeStampSeconds }],
  })
})

test('where it is not used, it is an extra field and dropped', () => {
  expect(workOf({ model: V4, content: [image('first.png', { time_stamp: -1 })] })).toMatchObject({
    midFrames: [],
  })
  expect(prepare({ model: A, content: [image('first.png', { time_stamp: 'x' })] }).family).toBe('a')
})
