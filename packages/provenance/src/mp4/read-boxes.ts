import type { ClipReader } from '../clip-reader.ts'

/** Place of a box (ISO/IEC 14496-12) in a file. */
export interface BoxSpan {
  type: string
  start: number
  contentStart: number
  end: number
}

export interface BoxList {
  boxes: BoxSpan[]
  /** False when bytes remain behind the last box: they are not a box, or there are more boxes than the limit. */
  isWhole: boolean
}

/** Limit for one level, so that a file of tiny boxes does not take minutes to read. */
const BOXES_MAX = 10_000
const HEAD_BYTES = 8
const LONG_HEAD_BYTES = 16

/** The boxes between two offsets, without their children. */
export async function readBoxes(file: ClipReader, start = 0, end: number = file.size): Promise<BoxList> {
  const boxes: BoxSpan[] = []
  let at = start
  while (at < end) {
    const box = boxes.length < BOXES_MAX ? await readBox(file, at, end) : undefined
    if (box === undefined) return { boxes, isWhole: false }
    boxes.push(box)
    at = box.end
  }
  return { boxes, isWhole: true }
}

async function readBox(file: ClipReader, start: number, end: number): Promise<BoxSpan | undefined> {
  const head = viewOf(await file.read(start, LONG_HEAD_BYTES))
  if (end - start < HEAD_BYTES || head.byteLength < HEAD_BYTES) return undefined
  const type = String.fromCharCode(...[4, 5, 6, 7].map((at) => head.getUint8(at)))
  let size = head.getUint32(0)
  let contentStart = start + HEAD_BYTES
  if (size === 0) size = end - start
  else if (size === 1) {
    if (head.byteLength < LONG_HEAD_BYTES) return undefined
    size = Number(head.getBigUint64(8))
    contentStart = start + LONG_HEAD_BYTES
  }
  const boxEnd = start + size
  return boxEnd < contentStart || boxEnd > end ? undefined : { type, start, contentStart, end: boxEnd }
}

/** Finds all boxes at a path such as `moov/trak/tkhd`. */
export async function findBoxes(file: ClipReader, path: string, within?: BoxSpan): Promise<BoxSpan[]> {
  const [first = '', ...rest] = path.split('/')
  const { boxes } = await readBoxes(file, within && (await childrenStart(file, within)), within?.end)
  const found = boxes.filter(({ type }) => type === first)
  if (rest.length === 0) return found
  return (await Promise.all(found.map((box) => findBoxes(file, rest.join('/'), box)))).flat()
}

/** In MP4 files, `meta` has a version before its children; in QuickTime files it has none. */
async function childrenStart(file: ClipReader, { type, contentStart }: BoxSpan): Promise<number> {
  if (type !== 'meta') return contentStart
  const head = viewOf(await file.read(contentStart, HEAD_BYTES))
  return head.byteLength === HEAD_BYTES && head.getUint32(0) === 0 ? contentStart + 4 : contentStart
}

export async function readContent(file: ClipReader, box: BoxSpan, bytesMax: number): Promise<DataView> {
  return viewOf(await file.read(box.contentStart, Math.min(bytesMax, box.end - box.contentStart)))
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export function areEqual(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  return one.length === other.length && Array.from(one).every((byte, index) => byte === other[index])
}

export function makeBox(type: string, ...content: Uint8Array[]): Uint8Array {
  const size = content.reduce((sum, part) => sum + part.length, HEAD_BYTES)
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32BE(size)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content])
}
