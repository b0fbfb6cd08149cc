import { type ClipReader, readChunks } from '../clip-reader.ts'
import { areEqual, type BoxSpan, findBoxes, readBoxes, viewOf } from '../mp4/read-boxes.ts'
import { digest } from './digest.ts'

/** Boxes, or ranges of bytes in them, that a hash leaves out; an entry of the assertion `c2pa.hash.bmff`. */
export interface HashExclusion {
  xpath: string
  length?: number
  version?: number
  flags?: Uint8Array
  exact?: boolean
  data?: { offset: number; value: Uint8Array }[]
  subset?: { offset: number; length: number }[]
}

/**
 * Hash of a file without the excluded bytes. The offset of each top-level box, as eight bytes, is hashed before the box,
 * unless the whole box is excluded.
 */
export async function hashClip(
  file: ClipReader,
  { algorithm, exclusions }: { algorithm: string; exclusions: readonly HashExclusion[] },
): Promise<Uint8Array> {
  const excluded: { start: number; end: number }[] = []
  const offsets = new Set((await readBoxes(file)).boxes.map(({ start }) => start))
  for (const exclusion of exclusions) {
    for (const box of await boxesOf(file, exclusion)) {
      if (exclusion.subset === undefined) {
        excluded.push(box)
        offsets.delete(box.start)
      }
      for (const { offset, length } of exclusion.subset ?? []) {
        const start = box.start + offset
        const end = length === 0 ? box.end : Math.min(box.end, start + length)
        if (start < end) excluded.push({ start, end })
      }
    }
  }
  return digest(algorithm, hashedBytes(file, inOrder(excluded, offsets)))
}

async function* hashedBytes(file: ClipReader, marks: ReturnType<typeof inOrder>) {
  let at = 0
  for (const { start, end } of marks) {
    yield* readChunks(file, at, start)
    if (end === undefined) yield offsetBytes(start)
    at = Math.max(at, end ?? start)
  }
  yield* readChunks(file, at)
}

function inOrder(
  excluded: readonly { start: number; end: number }[],
  offsets: ReadonlySet<number>,
): { start: number; end?: number }[] {
  const marks = [...offsets].map((start): { start: number; end?: number } => ({ start }))
  return [...marks, ...excluded].sort((one, other) => one.start - other.start)
}

function offsetBytes(offset: number): Uint8Array {
  const bytes = new Uint8Array(8)
  viewOf(bytes).setBigUint64(0, BigInt(offset))
  return bytes
}

async function boxesOf(file: ClipReader, exclusion: HashExclusion): Promise<BoxSpan[]> {
  const found = await findAt(file, exclusion.xpath.split('/').slice(1))
  const fitting = await Promise.all(found.map((box) => fits(file, box, exclusion)))
  return found.filter((_box, index) => fitting[index])
}

/** A step such as `trak[2]` names the second box of its type. */
async function findAt(
  file: ClipReader,
  [step = '', ...rest]: string[],
  within?: BoxSpan,
): Promise<BoxSpan[]> {
  const [, type = step, place] = /^(.+)\[(\d+)\]$/.exec(step) ?? []
  const all = await findBoxes(file, type, within)
  const found = place === undefined ? all : all.slice(Number(place) - 1, Number(place))
  if (rest.length === 0) return found
  return (await Promise.all(found.map((box) => findAt(file, rest, box)))).flat()
}

async function fits(
  file: ClipReader,
  box: BoxSpan,
  { length, version, flags, exact = true, data = [] }: HashExclusion,
): Promise<boolean> {
  if (length !== undefined && length !== box.end - box.start) return false
  const [ownVersion, ...ownFlags] = await file.read(box.contentStart, 4)
  if (version !== undefined && version !== ownVersion) return false
  const hasFlag = (flag: number, at: number) => ((ownFlags[at] ?? 0) & (exact ? 0xff : flag)) === flag
  if (flags !== undefined && !flags.every(hasFlag)) return false
  for (const { offset, value } of data) {
    const bytes = await file.read(box.start + offset, value.length)
    if (!areEqual(value, bytes)) return false
  }
  return true
}
