import { expect, test } from 'vitest'
import { A, optionsOf, text, V4 } from '../../../test/video/prepare.ts'

const order = (model: string, durationSeconds: number) => () =>
  optionsOf({ model, content: [text('a cat')], durationSeconds })

test.each([4, 15, 30])('family A takes %i seconds, as its vendor documents', (seconds) => {
  expect(order(A, seconds)()).toMatchObject({ durationSeconds: seconds })
})

test.each([31, 500, 86_400])('family A refuses %i seconds, with the bound', (seconds) => {
  expect(order(A, seconds)).toThrow('duration must be from 4 to 30 seconds for vendorA/gen-2.0.')
})

test('family B has no known limit: the vendor decides', () => {
  expect(order(V4, 500)()).toMatchObject({ durationSeconds: 500 })
})
