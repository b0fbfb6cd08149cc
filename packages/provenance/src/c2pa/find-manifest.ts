import type { ClipReader } from '../clip-reader.ts'
import { areEqual, type BoxSpan, readBoxes } from '../mp4/read-boxes.ts'

/** The user type of the boxes `uuid` that C2PA writes. */
const USER_TYPE = [
  0xd8, 0xfe, 0xc3, 0xd6, 0x1b, 0x0e, 0x48, 0x3c, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7e, 0xc4, 0x81,
]
const PURPOSE = new TextEncoder().encode('manifest\0')
/** User type, version and flags, the purpose with its final zero, and the offset of a Merkle tree. */
export const MANIFEST_HEAD = Uint8Array.of(...USER_TYPE, 0, 0, 0, 0, ...PURPOSE, ...new Uint8Array(8))

const MANIFEST_BYTES_MAX = 16 << 20

export interface FoundManifest {
  box: BoxSpan
  /** undefined for a manifest that is too large. */
  jumbf: Uint8Array | undefined
}

/** Finds the manifest stores of a file, which should have one at most. */
export async function findManifests(file: ClipReader): Promise<FoundManifest[]> {
  const { boxes } = await readBoxes(file)
  const found: FoundManifest[] = []
  for (const box of boxes.filter(({ type }) => type === 'uuid')) {
    const head = await file.read(box.contentStart, Math.min(MANIFEST_HEAD.length, box.end - box.contentStart))
    const isManifest = areEqual(head.subarray(0, 16), USER_TYPE) && areEqual(head.subarray(20, 29), PURPOSE)
    if (!isManifest) continue
    const start = box.contentStart + MANIFEST_HEAD.length
    const isSmall = box.end - start <= MANIFEST_BYTES_MAX
    found.push({ box, jumbf: isSmall ? await file.read(start, box.end - start) : undefined })
  }
  return found
}
