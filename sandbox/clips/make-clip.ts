import { type Colour, encodeChange, encodeKeyPicture, type Mosaic } from './h264/encode-picture.ts'
import { BLOCK_PIXELS, pictureParameters, sequenceParameters } from './h264/parameter-sets.ts'
import { type Film, writeMp4 } from './mp4.ts'

export interface ClipSpec {
  width: number
  height: number
  seconds: number
  /** Of the card, as six hexadecimal digits: red, green, blue. */
  colour: string
}

export const FRAMES_PER_SECOND = 24
/** A player can jump to each of these. */
const FRAMES_PER_KEY = 5 * FRAMES_PER_SECOND

/** A silent MP4 that really plays: a card of one colour, with a bar that fills from left to right as time passes. */
export function makeClip({ width, height, seconds, colour }: ClipSpec): Buffer {
  const columns = Math.ceil(width / BLOCK_PIXELS)
  const rows = Math.ceil(height / BLOCK_PIXELS)
  const frames = seconds * FRAMES_PER_SECOND
  const bar = { top: Math.floor(rows * 0.8), bottom: Math.floor(rows * 0.8) + Math.ceil(rows / 12) }
  const blocks = emptyCard({ columns, rows, bar, background: fromHex(colour) })
  const mosaic: Mosaic = { columns, blocks }

  const samples: Film['samples'][number][] = []
  let filled = 0
  for (let frame = 0; frame < frames; frame += 1) {
    const wanted = Math.round((columns * frame) / Math.max(1, frames - 1))
    const changed = blocksBetween({ columns, bar, from: filled, to: wanted })
    for (const at of changed) blocks[at] = BAR_FULL
    filled = wanted
    const number = frame % FRAMES_PER_KEY
    const isKey = number === 0
    const unit = isKey
      ? encodeKeyPicture(mosaic, (frame / FRAMES_PER_KEY) % 2)
      : encodeChange(mosaic, { changed, number })
    samples.push({ unit, isKey })
  }
  return writeMp4({
    width,
    height,
    framesPerSecond: FRAMES_PER_SECOND,
    sequence: sequenceParameters({ width, height }),
    pictureSet: pictureParameters(),
    samples,
  })
}

const BAR_EMPTY: Colour = [32, 128, 128]
const BAR_FULL: Colour = [235, 128, 128]

interface Bar {
  top: number
  bottom: number
}

function emptyCard({
  columns,
  rows,
  bar,
  background,
}: {
  columns: number
  rows: number
  bar: Bar
  background: Colour
}): Colour[] {
  return Array.from({ length: columns * rows }, (_, at) => {
    const row = Math.floor(at / columns)
    return row >= bar.top && row < bar.bottom ? BAR_EMPTY : background
  })
}

function blocksBetween({
  columns,
  bar,
  from,
  to,
}: {
  columns: number
  bar: Bar
  from: number
  to: number
}): number[] {
  const found: number[] = []
  for (let row = bar.top; row < bar.bottom; row += 1) {
    for (let column = from; column < to; column += 1) found.push(row * columns + column)
  }
  return found
}

/** As television counts colours (BT.601, 16 to 235). */
function fromHex(hex: string): Colour {
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const [r, g, b] = [red ?? 0, green ?? 0, blue ?? 0]
  return [
    Math.round(16 + 65.481 * r + 128.553 * g + 24.966 * b),
    Math.round(128 - 37.797 * r - 74.203 * g + 112 * b),
    Math.round(128 + 112 * r - 93.786 * g - 18.214 * b),
  ]
}
