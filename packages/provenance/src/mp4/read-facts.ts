import type { ClipReader } from '../clip-reader.ts'
import { type BoxSpan, findBoxes, readContent } from './read-boxes.ts'

export interface PictureFacts {
  duration_ms: number | null
  width: number | null
  height: number | null
}

/** Length of the film, and the size of its first picture track as it is shown. */
export async function readFacts(file: ClipReader): Promise<PictureFacts> {
  const [movie] = await findBoxes(file, 'moov/mvhd')
  const duration = movie === undefined ? null : await readDuration(file, movie)
  for (const track of await findBoxes(file, 'moov/trak')) {
    const [handler] = await findBoxes(file, 'mdia/hdlr', track)
    const [head] = await findBoxes(file, 'tkhd', track)
    if (handler === undefined || head === undefined) continue
    const kind = await readContent(file, handler, 12)
    if (kind.byteLength === 12 && kind.getUint32(8) === PICTURES) {
      return { duration_ms: duration, ...(await readSize(file, head)) }
    }
  }
  return { duration_ms: duration, width: null, height: null }
}

/** Handler type of a picture track: `vide`. */
const PICTURES = 0x76696465
const UNKNOWN_DURATION = 0xffffffff

async function readDuration(file: ClipReader, box: BoxSpan): Promise<number | null> {
  const head = await readContent(file, box, 32)
  const isLong = head.byteLength > 0 && head.getUint8(0) === 1
  if (head.byteLength < (isLong ? 32 : 20)) return null
  const scale = head.getUint32(isLong ? 20 : 12)
  const units = isLong ? Number(head.getBigUint64(24)) : head.getUint32(16)
  if (scale === 0 || (!isLong && units === UNKNOWN_DURATION)) return null
  const ms = Math.round((units * 1_000) / scale)
  return Number.isSafeInteger(ms) ? ms : null
}

const FIXED_POINT = 65_536

async function readSize(file: ClipReader, box: BoxSpan) {
  const head = await readContent(file, box, 96)
  const matrix = head.byteLength > 0 && head.getUint8(0) === 1 ? 52 : 40
  if (head.byteLength < matrix + 44) return { width: null, height: null }
  const width = Math.round(head.getUint32(matrix + 36) / FIXED_POINT)
  const height = Math.round(head.getUint32(matrix + 40) / FIXED_POINT)
  const isTurned = head.getInt32(matrix) === 0 && head.getInt32(matrix + 16) === 0
  return isTurned ? { width: height, height: width } : { width, height }
}
