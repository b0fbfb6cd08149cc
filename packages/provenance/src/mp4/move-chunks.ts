import { bytesReader } from '../clip-reader.ts'
import { type BoxSpan, findBoxes } from './read-boxes.ts'

const TABLES = 'trak/mdia/minf/stbl'
const OFFSET_MAX = 0xffff_ffff

/**
 * Copies the box `moov` and applies `moved` to each chunk offset; undefined when a new offset exceeds its 32 bits,
 * or a table has no room for its head.
 */
export async function moveChunks(
  movie: Uint8Array,
  moved: (offset: number) => number,
): Promise<Buffer | undefined> {
  const copy = Buffer.from(movie)
  const file = bytesReader(copy)
  const tables = await Promise.all(['stco', 'co64'].map((name) => findBoxes(file, `moov/${TABLES}/${name}`)))
  for (const table of tables.flat()) if (!moveTable(copy, table, moved)) return undefined
  return copy
}

function moveTable(bytes: Buffer, { type, contentStart, end }: BoxSpan, moved: (offset: number) => number) {
  const entryBytes = type === 'co64' ? 8 : 4
  const first = contentStart + 8
  if (first > end) return false
  const count = Math.min(bytes.readUInt32BE(contentStart + 4), Math.floor((end - first) / entryBytes))
  for (let at = first; at < first + count * entryBytes; at += entryBytes) {
    const offset = moved(entryBytes === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at))
    if (entryBytes === 8) bytes.writeBigUInt64BE(BigInt(offset), at)
    else if (offset > OFFSET_MAX) return false
    else bytes.writeUInt32BE(offset, at)
  }
  return true
}
