import { jsonReply, type SandboxReply, type SandboxRequest, type SandboxRoute } from '../part.ts'
import { readByteRange } from './byte-range.ts'
import { checkLink, readClipName } from './clip-link.ts'
import { makeClip } from './make-clip.ts'

/** Where the links of finished tasks lead. A part that has them serves clips below its own address. */
export function clipRoutes(): SandboxRoute[] {
  const handle = (request: SandboxRequest): SandboxReply => {
    const name = request.params.name ?? ''
    const spec = readClipName(name)
    if (spec === undefined) return refuse(404, 'NoSuchKey', 'There is no such clip.')
    const link = checkLink({ name, query: request.query }, request.clock.nowMs())
    if (link === 'forged') return refuse(403, 'SignatureDoesNotMatch', 'The signature does not fit the link.')
    if (link === 'expired') return refuse(403, 'AccessDenied', 'Request has expired')
    return serve(makeClip(spec), request.headers.range)
  }
  const path = '/clips/:name'
  return [
    { operation: 'clip', method: 'GET', path, handle },
    { operation: 'clip', method: 'HEAD', path, handle },
  ]
}

function serve(clip: Buffer, rangeHeader: string | undefined): SandboxReply {
  const headers = { 'content-type': 'video/mp4', 'accept-ranges': 'bytes' }
  const range = readByteRange(rangeHeader, clip.length)
  if (range === undefined) return { status: 200, headers, body: clip }
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${clip.length}` } }
  }
  const { start, end } = range
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${clip.length}` },
    body: clip.subarray(start, end + 1),
  }
}

function refuse(status: number, code: string, message: string): SandboxReply {
  return jsonReply(status, { error: { code, message } })
}
