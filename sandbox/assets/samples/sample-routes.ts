import { readByteRange } from '../../clips/byte-range.ts'
import { jsonReply, type SandboxReply, type SandboxRequest, type SandboxRoute } from '../../part.ts'
import { type MadeSample, makeSample } from './make-sample.ts'
import { checkMediaLink } from './media-link.ts'
import { readSampleName } from './sample-name.ts'

/** `/samples`: media to make assets of. `/media`: where the links of active assets lead. */
export function sampleRoutes(): SandboxRoute[] {
  return [
    { operation: 'sample', method: 'GET', path: '/samples/:name', handle: answerSample },
    { operation: 'sample', method: 'HEAD', path: '/samples/:name', handle: answerSample },
    { operation: 'media', method: 'GET', path: '/media/:name', handle: answerMedia },
    { operation: 'media', method: 'HEAD', path: '/media/:name', handle: answerMedia },
  ]
}

function answerMedia(request: SandboxRequest): SandboxReply {
  const name = request.params.name ?? ''
  const link = checkMediaLink({ name, query: request.query }, request.clock)
  if (link === 'forged') return refuse(403, 'SignatureDoesNotMatch', 'The signature does not fit the link.')
  if (link === 'expired') return refuse(403, 'AccessDenied', 'Request has expired')
  return answerSample(request)
}

function answerSample({ params, headers }: SandboxRequest): SandboxReply {
  const sample = readSampleName(params.name ?? '')
  if (sample === undefined) return refuse(404, 'NoSuchKey', 'There is no such sample.')
  return serve(makeSample(sample), headers.range)
}

function serve({ bytes, contentType }: MadeSample, rangeHeader: string | undefined): SandboxReply {
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

function refuse(status: number, code: string, message: string): SandboxReply {
  return jsonReply(status, { error: { code, message } })
}
