import { type C2paState, readC2pa } from './c2pa/read-c2pa.ts'
import type { ClipReader } from './clip-reader.ts'
import { type AigcMark, readAigc } from './mp4/read-aigc.ts'
import { type PictureFacts, readFacts } from './mp4/read-facts.ts'

export interface ClipMarks {
  c2pa: C2paState
  aigc: AigcMark | null
}

export type ClipFacts = PictureFacts & {
  media_type: string
  marks: ClipMarks
}

/** Reads what a file says about itself. A damaged file has fewer facts; only the reader's own errors are thrown. */
export async function inspectClip(file: ClipReader): Promise<ClipFacts> {
  const head = Buffer.from(await file.read(0, 24))
  const mediaType = mediaTypeOf(head)
  const nothing = { duration_ms: null, width: null, height: null }
  const unmarked = { c2pa: { state: 'none' as const, issuer: null }, aigc: null }
  if (mediaType === 'image/png' && head.length === 24) {
    const size = { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
    return { media_type: mediaType, ...nothing, ...size, marks: unmarked }
  }
  if (!mediaType.startsWith('video/')) return { media_type: mediaType, ...nothing, marks: unmarked }
  const { state, issuer } = await readC2pa(file)
  const marks = { c2pa: { state, issuer }, aigc: await readAigc(file) }
  return { media_type: mediaType, ...(await readFacts(file)), marks }
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const JPEG = Buffer.from('ffd8ff', 'hex')

function mediaTypeOf(head: Buffer): string {
  if (head.toString('latin1', 4, 8) === 'ftyp') {
    return head.toString('latin1', 8, 12) === 'qt  ' ? 'video/quicktime' : 'video/mp4'
  }
  if (PNG.equals(head.subarray(0, 8))) return 'image/png'
  return JPEG.equals(head.subarray(0, 3)) ? 'image/jpeg' : 'application/octet-stream'
}
