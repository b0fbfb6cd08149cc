import { findManifests, MANIFEST_HEAD } from './c2pa/find-manifest.ts'
import type { ManifestOptions, PlannedManifest } from './c2pa/write-manifest.ts'
import { type ClipPiece, type ClipReader, joinPieces } from './clip-reader.ts'
import { moveChunks } from './mp4/move-chunks.ts'
import { type AigcMark, readAigc } from './mp4/read-aigc.ts'
import { type BoxSpan, readBoxes } from './mp4/read-boxes.ts'
import { makeAigcBox } from './mp4/write-aigc.ts'

export interface MarkOptions {
  /** Metadata of GB 45438-2025. */
  aigc?: AigcMark | undefined
  c2pa?: ManifestOptions | undefined
}

export interface MarkedClip {
  /** Reads the marked file; its frames are read from the file that was given. */
  file: ClipReader
  added: ('aigc' | 'c2pa')[]
}

/** The index is read into memory. A film of an hour has less than 2 MB. */
const INDEX_BYTES_MAX = 16 << 20

/**
 * Adds marks to an MP4 file and removes none. Existing AIGC metadata is not changed. A file with a manifest gets metadata
 * only together with a new manifest, since the old one would become invalid. A file that is damaged, fragmented or no MP4
 * is returned unchanged.
 */
export async function markClip(file: ClipReader, { aigc, c2pa }: MarkOptions): Promise<MarkedClip> {
  const { boxes, isWhole } = await readBoxes(file)
  const [heads, indexes] = ['ftyp', 'moov'].map((name) => boxes.filter((box) => box.type === name))
  const [head, ...otherHeads] = heads ?? []
  const [index, ...otherIndexes] = indexes ?? []
  const unmarked: MarkedClip = { file, added: [] }
  if (!isWhole || head === undefined || index === undefined) return unmarked
  if (index.end - index.start > INDEX_BYTES_MAX) return unmarked
  if (otherHeads.length + otherIndexes.length > 0 || boxes.some((box) => box.type === 'moof')) return unmarked
  const [earlier, ...more] = await findManifests(file)
  if (more.length > 0 || (earlier !== undefined && earlier.jumbf === undefined)) return unmarked

  const addsAigc =
    aigc !== undefined && (c2pa !== undefined || earlier === undefined) && (await readAigc(file)) === null
  const plan = c2pa === undefined ? undefined : await planOf(c2pa, earlier?.jumbf)
  if (plan === undefined && (!addsAigc || c2pa !== undefined)) return unmarked
  const metadata = addsAigc ? makeAigcBox(aigc) : new Uint8Array()
  const marked = await layOut(file, boxes, { head, index, metadata, replaced: plan && earlier?.box, plan })
  const added: MarkedClip['added'] = [
    ...(addsAigc ? ['aigc' as const] : []),
    ...(plan ? ['c2pa' as const] : []),
  ]
  return marked === undefined ? unmarked : { file: marked, added }
}

async function planOf(options: ManifestOptions, earlier: Uint8Array | undefined) {
  const { planManifest } = await import('./c2pa/write-manifest.ts')
  return planManifest(options, earlier)
}

interface Layout {
  head: BoxSpan
  index: BoxSpan
  /** Box for the end of `moov`. */
  metadata: Uint8Array
  /** Box with the earlier manifests; the new box contains them too. */
  replaced: BoxSpan | undefined
  plan: PlannedManifest | undefined
}

async function layOut(
  file: ClipReader,
  boxes: readonly BoxSpan[],
  { head, index, metadata, replaced, plan }: Layout,
): Promise<ClipReader | undefined> {
  const kept = boxes.filter(({ start }) => start !== replaced?.start)
  const starts = new Map<BoxSpan, number>()
  let at = 0
  for (const box of kept) {
    starts.set(box, at)
    at += box.end - box.start
    if (box === head) at += plan?.bytes ?? 0
    if (box === index) at += metadata.length
  }
  const moved = (offset: number) => {
    const box = kept.find(({ start, end }) => start <= offset && offset < end)
    return box === undefined ? offset : offset - box.start + (starts.get(box) ?? 0)
  }
  const movie = await moveChunks(await file.read(index.start, index.end - index.start), moved)
  if (movie === undefined || !addToSize(movie, metadata.length)) return undefined
  const piecesWith = (manifest: Uint8Array): ClipPiece[] =>
    kept.flatMap((box): ClipPiece[] => {
      if (box === index) return [movie, metadata]
      const piece = { file, start: box.start, end: box.end }
      return box === head ? [piece, manifest] : [piece]
    })
  if (plan === undefined) return joinPieces(piecesWith(new Uint8Array()))
  const empty = Buffer.alloc(plan.bytes)
  empty.writeUInt32BE(plan.bytes)
  empty.write('uuid', 4, 'latin1')
  // The hash excludes the box of the manifest, which it finds by this user type.
  empty.set(MANIFEST_HEAD, 8)
  return joinPieces(piecesWith(await plan.write(joinPieces(piecesWith(empty)))))
}

/** Returns false when the box must grow but has a 64-bit size, or no size because it ends with the file. */
function addToSize(box: Buffer, bytes: number): boolean {
  const size = box.readUInt32BE(0)
  if (size < 8) return bytes === 0
  box.writeUInt32BE(size + bytes, 0)
  return true
}
