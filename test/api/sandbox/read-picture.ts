import type { Colour } from '../../../sandbox/clips/h264/encode-picture.ts'

const GREY: Colour = [128, 128, 128]

/** Decodes a picture of uniform blocks as the standard says, and refuses whatever else a stream could hold. */
export function readPicture(
  unit: Buffer,
  { columns, before }: { columns: number; before: readonly Colour[] },
): { blocks: Colour[]; pictureNumber: number; keyNumber: number | undefined } {
  const bits = createBitReader(unit)
  const isKey = bits.read(8) === 0x65
  expectValue(bits.unsigned(), 0)
  expectValue(bits.unsigned(), isKey ? 7 : 5)
  expectValue(bits.unsigned(), 0)
  const pictureNumber = bits.read(8)
  const keyNumber = isKey ? bits.unsigned() : undefined
  expectValue(bits.read(isKey ? 2 : 3), 0)
  expectValue(bits.signed(), 0)
  expectValue(bits.unsigned(), 1)

  const blocks: Colour[] = []
  while (blocks.length < before.length) {
    for (let skipped = isKey ? 0 : bits.unsigned(); skipped > 0; skipped -= 1) {
      blocks.push(before[blocks.length] ?? GREY)
    }
    if (blocks.length < before.length) blocks.push(readBlock(bits, { blocks, columns, isKey }))
  }
  bits.expectEnd()
  return { blocks, pictureNumber, keyNumber }
}

function readBlock(
  bits: BitReader,
  { blocks, columns, isKey }: { blocks: readonly Colour[]; columns: number; isKey: boolean },
): Colour {
  const type = bits.unsigned() - (isKey ? 0 : 5) - 1
  const hasColour = type >= 4
  const guess = guesses(blocks.length, columns)[type % 4]
  if (type > 7 || guess === undefined) throw new Error(`Block type ${type} is not possible here.`)
  const [brightness, blue, red] = blocks[guess.from] ?? GREY
  expectValue(bits.unsigned(), guess.colourMode)
  expectValue(bits.signed(), 0)
  const up = readLevel(bits, { 1: 'none', '01': 'one', '000101': 'larger' })
  const colourCodes = { '01': 'none', 1: 'one', '000111': 'larger' } as const
  const bluer = hasColour ? readLevel(bits, colourCodes) : 0
  const redder = hasColour ? readLevel(bits, colourCodes) : 0
  return [brightness + up, blue + bluer, red + redder]
}

/** By the mode of brightness: from above, from the left, and plain grey, which only the first block has. */
function guesses(at: number, columns: number) {
  return [
    at >= columns ? { from: at - columns, colourMode: 2 } : undefined,
    at % columns > 0 ? { from: at - 1, colourMode: 1 } : undefined,
    at === 0 ? { from: -1, colourMode: 0 } : undefined,
  ]
}

function readLevel(bits: BitReader, codes: Record<string, 'none' | 'one' | 'larger'>): number {
  let code = ''
  while (codes[code] === undefined) {
    code += bits.read(1)
    if (code.length > 6) throw new Error(`There is no code ${code}.`)
  }
  if (codes[code] === 'none') return 0
  const level = codes[code] === 'one' ? (bits.read(1) === 1 ? -1 : 1) : readLargerLevel(bits)
  expectValue(bits.read(1), 1)
  return level
}

function readLargerLevel(bits: BitReader): number {
  let prefix = 0
  while (bits.read(1) === 0) prefix += 1
  const suffix = prefix < 14 ? 0 : bits.read(prefix === 14 ? 4 : 12)
  const code = Math.min(prefix, 15) + suffix + (prefix >= 15 ? 15 : 0) + 2
  return code % 2 === 0 ? code / 2 + 1 : -((code + 1) / 2)
}

export interface BitReader {
  read(count: number): number
  unsigned(): number
  signed(): number
  expectEnd(): void
}

export function createBitReader(unit: Buffer): BitReader {
  const bytes = [...unit].filter((byte, at) => !(byte === 3 && unit[at - 1] === 0 && unit[at - 2] === 0))
  let at = 0
  const read = (count: number): number => {
    let value = 0
    for (let left = count; left > 0; left -= 1) {
      const byte = bytes[at >> 3]
      if (byte === undefined) throw new Error('The picture ends too early.')
      value = value * 2 + ((byte >> (7 - (at & 7))) & 1)
      at += 1
    }
    return value
  }
  const unsigned = (): number => {
    let zeros = 0
    while (read(1) === 0) zeros += 1
    return 2 ** zeros - 1 + read(zeros)
  }
  return {
    read,
    unsigned,
    signed() {
      const value = unsigned()
      return value % 2 === 1 ? (value + 1) / 2 : 0 - value / 2
    },
    expectEnd() {
      expectValue(read(1), 1)
      while (at % 8 !== 0) expectValue(read(1), 0)
      expectValue(bytes.length * 8, at)
    },
  }
}

function expectValue(actual: number, expected: number | undefined): void {
  if (actual !== expected) throw new Error(`Expected ${expected}, read ${actual}.`)
}
