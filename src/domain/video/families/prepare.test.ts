import { expect, test } from 'vitest'
import { fc, runs } from '../../../../test/random/properties.ts'
import {
  A,
  audio,
  image,
  optionsOf,
  prepare,
  text,
  V3,
  V4,
  V4_FAST,
  video,
} from '../../../../test/video/prepare.ts'
import { ApiError } from '../../api-error.ts'

test.each([
  [A, 'gen-2.0'],
  ['vendorA/gen-2.0-fast', 'gen-2.0-fast'],
  [V4, 'gen-v4-std'],
  [V4_FAST, 'gen-v4-fast'],
])('%s is ordered as %s', (model, name) => {
  expect(prepare({ model, content: [text('a cat')] }).model).toBe(name)
})

test.each([
  [V4, [text('a cat')], 'std'],
  [V4_FAST, [text('a cat')], 'fast'],
  [V3, [text('a cat'), image('cat.png')], undefined],
])('%s is ordered in the mode %s', (model, content, mode) => {
  expect(prepare({ model, content })).toMatchObject({ mode })
})

test.each([A, V4])('%s: the order has exactly the values of the client', (model) => {
  const content = [text('a cat')]
  const given = {
    durationSeconds: 6,
    ratio: '9:16' as const,
    resolution: '4k',
    seed: -1,
    framesPerSecond: 30,
    generateAudio: false,
    draft: true,
    serviceTier: 'flex',
  }
  expect(optionsOf({ model, content, ...given })).toEqual({
    durationSeconds: 6,
    ratio: '9:16',
    resolution: '4k',
    seed: -1,
    framesPerSecond: 30,
    generateAudio: false,
    draft: true,
    serviceTier: 'flex',
  })
  expect(JSON.stringify(optionsOf({ model, content }))).toBe('{}')
})

const ROLES = ['first_frame', 'mid_frame', 'end_frame', 'grid', 'image', 'extend', 'prefix_video', 'else']
const orNothing = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })
const fields = fc.record({
  role: orNothing(fc.constantFrom(...ROLES)),
  tag: orNothing(fc.constantFrom('a', '@a', 'b')),
  timeStampSeconds: orNothing(fc.double()),
})
const item = fc.oneof(
  fc
    .tuple(
      fc.string().filter((words) => words.trim() !== ''),
      fc.constantFrom(undefined, 'cut_type', 'style_name'),
    )
    .map(([words, role]) => text(words, role)),
  fields.map((more) => image('a.png', more)),
  fields.map((more) => video('a.mp4', more)),
  fields.map((more) => audio('a.mp3', more)),
)
const wish = fc.record({
  model: fc.constantFrom(A, V4, V4_FAST, V3),
  content: fc.array(item, { minLength: 1, maxLength: 6 }),
  taskType: orNothing(
    fc.constantFrom(
      'text-to-video',
      'image-to-video',
      'omni-video',
      'reference',
      'extension',
      'cutshot',
      'restyling',
    ),
  ),
})

test('any content gives an order or a 400: no rule is missing in a list', () => {
  let orders = 0
  fc.assert(
    fc.property(wish, (asked) => {
      try {
        prepare(asked)
        orders += 1
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
        expect(error).toMatchObject({ status: 400, param: expect.any(String) })
      }
    }),
    runs(3000),
  )
  expect(orders).toBeGreaterThan(runs(3000).numRuns / 30)
})
