import { expect, it } from 'vitest'
import { createBitReader } from '../../../test/api/sandbox/read-picture.ts'
import { pictureParameters, sequenceParameters } from './parameter-sets.ts'

it.each([
  [1280, 720],
  [1920, 1080],
  [1080, 1920],
  [640, 640],
])('a sequence of %i x %i says so', (width, height) => {
  const bits = createBitReader(sequenceParameters({ width, height }))
  expect([bits.read(8), bits.read(8), bits.read(8), bits.read(8)]).toEqual([0x67, 66, 0xc0, 40])
  expect([bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.unsigned()]).toEqual([0, 4, 2, 1])
  expect(bits.read(1)).toBe(0)
  const blocks = [bits.unsigned() + 1, bits.unsigned() + 1]
  expect(bits.read(3)).toBe(0b111)
  const [left, right, top, bottom] = [bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.unsigned()]
  expect([left, top]).toEqual([0, 0])
  const cut = { right: 2 * right, bottom: 2 * bottom }
  expect([(blocks[0] ?? 0) * 16 - cut.right, (blocks[1] ?? 0) * 16 - cut.bottom]).toEqual([width, height])
  expect(bits.read(1)).toBe(0)
  bits.expectEnd()
})

it('a picture is quantised so that a level is a step of one', () => {
  const bits = createBitReader(pictureParameters())
  expect([bits.read(8), bits.unsigned(), bits.unsigned(), bits.read(2)]).toEqual([0x68, 0, 0, 0])
  expect([bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.read(3)]).toEqual([0, 0, 0, 0])
  expect([bits.signed() + 26, bits.signed(), bits.signed()]).toEqual([28, 0, -6])
  expect(bits.read(3)).toBe(0b100)
  bits.expectEnd()
})
