import { expect, test } from 'vitest'
import { expectRefused, optionsOf, text, V4, V4_FAST } from '../../../../test/video/prepare.ts'

const content = [text('a cat')]

test('400 for generate_audio true with the fast model', () => {
  expectRefused({ model: V4_FAST, content, generateAudio: true }, 'unsupported_combination', 'generate_audio')
})

test.each([
  [V4_FAST, false],
  [V4_FAST, undefined],
  [V4, true],
])('%s with generate_audio %s is accepted and sent unchanged', (model, generateAudio) => {
  expect(optionsOf({ model, content, generateAudio }).generateAudio).toBe(generateAudio)
})
