import { expect, test } from 'vitest'
import { expectRefused, image, text, V3, workOf } from '../../../../test/video/prepare.ts'

const withImages = (count: number) => ({
  model: V3,
  taskType: 'reference',
  content: [text('a cat'), ...Array.from({ length: count }, (_, at) => image(`${at}.png`))],
})

test('reference: 400 for 0 images', () => {
  expectRefused(withImages(0), 'missing_parameter', 'content', '1 to 4')
})

test.each([5, 9])('reference: 400 for %i images', (count) => {
  expectRefused(withImages(count), 'invalid_parameter', 'content', '1 to 4', String(count))
})

test.each([1, 2, 3, 4])('reference: %i images are allowed', (count) => {
  expect(workOf(withImages(count))).toMatchObject({ taskType: 'reference', images: { length: count } })
})
