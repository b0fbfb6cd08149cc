import type { ClipReader } from '../clip-reader.ts'
import { type BoxSpan, readBoxes, readContent } from '../mp4/read-boxes.ts'

/** The user type of the boxes `uuid` that C2PA writes. */
export const C2PA_BOX_TYPE = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex')
/** User type, version and flags, the purpose with its final zero, and the offset of a Merkle tree. */
export const MANIFEST_HEAD = Buffer.concat([
  C2PA_BOX_TYPE,
  Buffer.alloc(4),
  Buffer.from('manifest\0'),
  Buffer.alloc(8),
])

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
    const head = bytesOf(await readContent(file, box, MANIFEST_HEAD.length))
    const isManifest = C2PA_BOX_TYPE.equals(head.subarray(0, 16)) && PURPOSE.equals(head.subarray(20, 29))
    if (!isManifest) continue
    const start = box.contentStart + MANIFEST_HEAD.length
    const isSmall = box.end - start <= MANIFEST_BYTES_MAX
    found.push({ box, jumbf: isSmall ? await file.read(start, box.end - start) : undefined })
  }
  return found
}

const PURPOSE = Buffer.from('manifest\0')

function bytesOf({ buffer, byteOffset, byteLength }: DataView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}
