import { type BitWriter, createBitWriter } from './bit-writer.ts'
import { FRAME_NUMBER_BITS } from './parameter-sets.ts'
import { UNIT, wrapUnit } from './wrap-unit.ts'

/** Brightness and the two colour differences, 0 to 255. */
export type Colour = readonly [brightness: number, blue: number, red: number]

/** One colour for each block of 16 x 16 pixels, row by row. */
export interface Mosaic {
  columns: number
  blocks: readonly Colour[]
}

/** A picture that needs no other. `keyNumber` must differ from that of the key picture before. */
export function encodeKeyPicture(mosaic: Mosaic, keyNumber: number): Buffer {
  const writer = createBitWriter()
  writeSliceStart(writer, { sliceType: 7, pictureNumber: 0 })
  writer.unsigned(keyNumber)
  writer.bits(0b00, 2) // earlier pictures are shown to their end, this one is kept in the usual way
  writeSliceEnd(writer)
  for (const at of mosaic.blocks.keys()) writeBlock(writer, mosaic, { at, typeOffset: 0 })
  return wrapUnit(UNIT.keyPicture, writer.finish())
}

/** A picture in which only the blocks at `changed`, in rising order, differ from the one before. */
export function encodeChange(
  mosaic: Mosaic,
  { changed, number }: { changed: readonly number[]; number: number },
): Buffer {
  const writer = createBitWriter()
  writeSliceStart(writer, { sliceType: 5, pictureNumber: number })
  writer.bits(0b000, 3) // the one earlier picture, as it is, and this one is kept in the usual way
  writeSliceEnd(writer)
  let next = 0
  for (const at of changed) {
    writer.unsigned(at - next)
    writeBlock(writer, mosaic, { at, typeOffset: 5 })
    next = at + 1
  }
  if (next < mosaic.blocks.length) writer.unsigned(mosaic.blocks.length - next)
  return wrapUnit(UNIT.picture, writer.finish())
}

function writeSliceStart(
  writer: BitWriter,
  { sliceType, pictureNumber }: { sliceType: number; pictureNumber: number },
): void {
  writer.unsigned(0) // the first block
  writer.unsigned(sliceType)
  writer.unsigned(0) // the picture parameters
  writer.bits(pictureNumber % 2 ** FRAME_NUMBER_BITS, FRAME_NUMBER_BITS)
}

function writeSliceEnd(writer: BitWriter): void {
  writer.signed(0) // the usual quantiser
  writer.unsigned(1) // edges stay sharp
}

/** Every block is guessed as its left neighbour, else as the one above, else as grey; only the difference is sent. */
function writeBlock(
  writer: BitWriter,
  { columns, blocks }: Mosaic,
  { at, typeOffset }: { at: number; typeOffset: number },
): void {
  const guess = guessFor(at, columns)
  const expected = (guess.from === undefined ? undefined : blocks[guess.from]) ?? GREY
  const [brightness, blue, red] = blocks[at] ?? GREY
  const differences = [brightness - expected[0], blue - expected[1], red - expected[2]] as const
  const hasColour = differences[1] !== 0 || differences[2] !== 0
  writer.unsigned(typeOffset + 1 + guess.brightnessMode + (hasColour ? 4 : 0))
  writer.unsigned(guess.colourMode)
  writer.signed(0) // the quantiser stays
  writeLevel(writer, differences[0], BRIGHTNESS_CODES)
  if (!hasColour) return
  writeLevel(writer, differences[1], COLOUR_CODES)
  writeLevel(writer, differences[2], COLOUR_CODES)
}

const GREY: Colour = [128, 128, 128]

function guessFor(at: number, columns: number) {
  if (at % columns > 0) return { from: at - 1, brightnessMode: 1, colourMode: 1 }
  if (at >= columns) return { from: at - columns, brightnessMode: 0, colourMode: 2 }
  return { from: undefined, brightnessMode: 2, colourMode: 0 }
}

/** `coeff_token` for no level, for a single one of size 1, and for a single larger one: [code, bits]. */
interface LevelCodes {
  none: readonly [number, number]
  one: readonly [number, number]
  larger: readonly [number, number]
}

const BRIGHTNESS_CODES: LevelCodes = { none: [1, 1], one: [1, 2], larger: [5, 6] }
const COLOUR_CODES: LevelCodes = { none: [1, 2], one: [1, 1], larger: [7, 6] }

/** A uniform difference is a single level: the mean. */
function writeLevel(writer: BitWriter, level: number, codes: LevelCodes): void {
  if (level === 0) {
    writer.bits(...codes.none)
    return
  }
  if (Math.abs(level) === 1) {
    writer.bits(...codes.one)
    writer.bits(level < 0 ? 1 : 0, 1)
  } else {
    writer.bits(...codes.larger)
    writeLargerLevel(writer, level > 0 ? 2 * level - 4 : -2 * level - 3)
  }
  writer.bits(1, 1) // no zeros before it
}

/** Small codes are unary, larger ones have an escape with 4 or 12 bits. */
function writeLargerLevel(writer: BitWriter, code: number): void {
  if (code < 14) {
    writer.bits(1, code + 1)
  } else if (code < 30) {
    writer.bits(1, 15)
    writer.bits(code - 14, 4)
  } else {
    writer.bits(1, 16)
    writer.bits(code - 30, 12)
  }
}
