import { expect, test } from 'vitest'
import { A, expectRefused, image, prepare, V4, workOf } from '../../../../test/video/prepare.ts'

const midFrame = (timeStampSeconds: number | undefined) =>
  image('mid.png', { role: 'mid_frame', tag: 'mid', timeStampSeconds })

test.each([[-1], [-0.5], [Number.POSITIVE_INFINITY], [1e300], [Number.NaN]])(
  'image-to-video: 400 for a time_stamp of %j',
  (timeStampSeconds) => {
    const content = [midFrame(timeStampSeconds)]
    expectRefused({ model: V4, content }, 'invalid_parameter', 'content[0].time_stamp')
  },
)

test.each([
  [0, 0],
  [2, 2],
  [2.999, 2],
  [undefined, undefined],
])('image-to-video: a time_stamp of %j becomes %j whole seconds', (given, timeStampSeconds) => {
  expect(workOf({ model: V4, content: [midFrame(given)] })).toMatchObject({
    midFrames: [{ timeStampSeconds }],
  })
})

test('a time_stamp without effect is dropped, even if it is wrong', () => {
  expect(workOf({ model: V4, content: [image('first.png', { timeStampSeconds: -1 })] })).toMatchObject({
    midFrames: [],
  })
  expect(prepare({ model: A, content: [image('first.png', { timeStampSeconds: Number.NaN })] }).family).toBe(
    'a',
  )
})
