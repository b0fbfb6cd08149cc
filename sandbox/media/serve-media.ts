import { jsonReply, type SandboxReply } from '../part.ts'

export interface Media {
  contentType: string
  bytes: Buffer
}

/** The whole file, or the one range that a player requests. */
export function serveMedia({ bytes, contentType }: Media, rangeHeader: string | undefined): SandboxReply {
  const headers = { 'content-type': contentType, 'accept-ranges': 'bytes' }
  const range = readByteRange(rangeHeader, bytes.length)
  if (range === undefined) return { status: 200, headers, body: bytes }
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${bytes.length}` } }
  }
  const { start, end } = range
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${bytes.length}` },
    body: bytes.subarray(start, end + 1),
  }
}

export function noSuchMedia(message: string): SandboxReply {
  return jsonReply(404, { error: { code: 'NoSuchKey', message } })
}

interface ByteRange {
  start: number
  /** The last byte of the range. */
  end: number
}

/** The one range in a `Range` header; undefined: the whole file is sent. */
export function readByteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [match, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (match === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const wanted = Math.min(Number(last), sizeBytes)
    return wanted === 0 ? 'unsatisfiable' : { start: sizeBytes - wanted, end: sizeBytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= sizeBytes ? 'unsatisfiable' : { start, end }
}
