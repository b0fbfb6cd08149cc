import { createBitWriter } from './bit-writer.ts'
import { UNIT, wrapUnit } from './wrap-unit.ts'

export const BLOCK_PIXELS = 16
export const FRAME_NUMBER_BITS = 8
/** Constrained baseline, at a level that every size of ours fits into. */
export const PROFILE = { id: 66, constraints: 0xc0, level: 40 } as const

/** What a decoder must know of the whole stream. A size between two blocks is cut at the right and at the bottom. */
export function sequenceParameters({ width, height }: { width: number; height: number }): Buffer {
  const columns = Math.ceil(width / BLOCK_PIXELS)
  const rows = Math.ceil(height / BLOCK_PIXELS)
  const writer = createBitWriter()
  for (const byte of [PROFILE.id, PROFILE.constraints, PROFILE.level]) writer.bits(byte, 8)
  writer.unsigned(0) // its own id
  writer.unsigned(FRAME_NUMBER_BITS - 4)
  writer.unsigned(2) // pictures are shown in the order they come
  writer.unsigned(1) // one picture is remembered
  writer.bits(0, 1) // no gaps in the numbers
  writer.unsigned(columns - 1)
  writer.unsigned(rows - 1)
  writer.bits(0b11, 2) // whole frames only
  writer.bits(1, 1) // cut, in steps of two pixels:
  writer.unsigned(0)
  writer.unsigned((columns * BLOCK_PIXELS - width) / 2)
  writer.unsigned(0)
  writer.unsigned((rows * BLOCK_PIXELS - height) / 2)
  writer.bits(0, 1) // no usability information
  return wrapUnit(UNIT.sequence, writer.finish())
}

/** With these two quantisers a level of 1 is a step of exactly 1, in brightness and in colour. */
const QUANTISER = 28
const COLOUR_QUANTISER_OFFSET = -6

/** What a decoder must know of every picture. */
export function pictureParameters(): Buffer {
  const writer = createBitWriter()
  writer.unsigned(0) // its own id
  writer.unsigned(0) // the sequence it belongs to
  writer.bits(0b00, 2) // codes of variable length, no fields
  writer.unsigned(0) // one group of slices
  writer.unsigned(0) // one picture to refer to
  writer.unsigned(0)
  writer.bits(0b000, 3) // no weights
  writer.signed(QUANTISER - 26)
  writer.signed(0)
  writer.signed(COLOUR_QUANTISER_OFFSET)
  writer.bits(0b100, 3) // slices say whether edges are smoothed
  return wrapUnit(UNIT.pictureSet, writer.finish())
}
