import { type C2paState, readC2pa } from './c2pa/read-c2pa.ts'
import type { ClipReader } from './clip-reader.ts'
import { type AigcMark, readAigc } from './mp4/read-aigc.ts'
import { viewOf } from './mp4/read-boxes.ts'
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
  const head = await file.read(0, 24)
  const mediaType = mediaTypeOf(head)
  const nothing = { duration_ms: null, width: null, height: null }
  const unmarked = { c2pa: { state: 'none' as const, issuer: null }, aigc: null }
  if (mediaType === 'image/png' && head.length === 24) {
    const view = viewOf(head)
    const size = { width: view.getUint32(16), height: view.getUint32(20) }
    return { media_type: mediaType, ...nothing, ...size, marks: unmarked }
  }
  if (!mediaType.startsWith('video/')) return { media_type: mediaType, ...nothing, marks: unmarked }
  const { state, issuer } = await readC2pa(file)
  const marks = { c2pa: { state, issuer }, aigc: await readAigc(file) }
  return { media_type: mediaType, ...(await readFacts(file)), marks }
}

function mediaTypeOf(head: Uint8Array): string {
  const text = String.fromCharCode(...head)
  if (text.startsWith('ftyp', 4)) return text.startsWith('qt  ', 8) ? 'video/quicktime' : 'video/mp4'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  return text.startsWith('\xff\xd8\xff') ? 'image/jpeg' : 'application/octet-stream'
}
