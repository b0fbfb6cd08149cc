import { ApiError } from '../../domain/api-error.ts'
import type { EdgeRequest } from '../edge-request.ts'
import { notFound } from '../errors/answer-headers.ts'
import type { RawRequest } from '../raw.ts'

export const TARGET_BYTES_MAX = 8 * 1024
export const HEADER_BYTES_MAX = 32 * 1024

const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i

/** Refuses heads that Node would accept, or would refuse in another format. */
export function faultInHead({ raw, route }: EdgeRequest): ApiError | undefined {
  const { headers, url = '' } = raw
  if (url.length > TARGET_BYTES_MAX) return new ApiError('uri_too_long')
  const { bytes, hosts } = measure(raw.rawHeaders)
  if (bytes > HEADER_BYTES_MAX) return new ApiError('headers_too_large')
  const fault = faultInForm(raw, hosts)
  if (fault !== undefined) return new ApiError('malformed_request', { message: fault })
  if (headers.expect !== undefined && !CONTINUE.test(headers.expect))
    return new ApiError('expectation_failed')
  // An unknown path is refused before its body is read. The router reads `*` as `/`.
  if (route.path === undefined || url === '*') return notFound(url)
  return undefined
}

/** Finds faults that the HTTP standard refuses and Node accepts: a proxy may read the head differently. */
function faultInForm({ headers, httpVersion }: RawRequest, hosts: number): string | undefined {
  if (hosts === 0 && httpVersion === '1.1') return 'The Host header is missing.'
  if (hosts > 1) return 'The Host header comes twice.'
  if (httpVersion === '0.9') return 'The version of HTTP is missing.'
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined)
    return 'HTTP/1.0 has no Transfer-Encoding.'
  return undefined
}

/** Bytes on the wire: each name and value with its colon, space and line end. */
function measure(rawHeaders: readonly string[]): { bytes: number; hosts: number } {
  let bytes = rawHeaders.length * 2
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    bytes += name.length + (rawHeaders[at + 1]?.length ?? 0)
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return { bytes, hosts }
}
