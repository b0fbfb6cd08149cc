import type { FindUrlProblem } from '../canonical/problem.ts'
import { isJsonObject } from '../json/json-object.ts'
import { base64Problem } from '../values/base64-problem.ts'
import { invalidParameter } from './bad-parameter.ts'
import type { RequestProblem } from './problem.ts'
import type { DocumentSource, ImageSource } from './request.ts'

/** An https or data: URL of a client, as the source of an image or a file. `at` is its place in the request. */
export function readMediaUrl(url: string, at: string): ImageSource {
  if (isHttps(url)) return { kind: 'url', url }
  if (!url.startsWith('data:')) throw invalidParameter(at, 'must be an https or data: URL')
  const comma = url.indexOf(',')
  const head = comma < 0 ? '' : url.slice('data:'.length, comma)
  if (!head.endsWith(BASE64_MARK)) throw invalidParameter(at, 'must be a data: URL in base64')
  const type = head.slice(0, -BASE64_MARK.length)
  const semicolon = type.indexOf(';')
  const mediaType = (semicolon < 0 ? type : type.slice(0, semicolon)).toLowerCase()
  if (mediaType === '') throw invalidParameter(at, 'must name its media type')
  return { kind: 'base64', mediaType, data: checked(url.slice(comma + 1), at) }
}

const BASE64_MARK = ';base64'

/** The content of a file: a data: URL, or bare base64 whose kind only the name tells. */
export function readFileData(data: string, name: string | undefined, at: string): DocumentSource {
  if (data.startsWith('data:')) return readMediaUrl(data, at)
  return { kind: 'base64', mediaType: mediaTypeOf(name), data: checked(data, at) }
}

function checked(data: string, at: string): string {
  const problem = base64Problem(data)
  if (problem !== undefined) throw invalidParameter(at, problem)
  return data
}

function mediaTypeOf(name: string | undefined): string {
  const lower = name?.toLowerCase() ?? ''
  return lower.endsWith('.txt') || lower.endsWith('.md') ? 'text/plain' : 'application/pdf'
}

export function isHttps(url: string): boolean {
  return url.slice(0, 8).toLowerCase() === 'https://'
}

/** Finds the problem of a URL for media: it is without TLS, or a vendor must not fetch it. */
export function problemOfMedia(url: string, problemOfUrl: FindUrlProblem): string | undefined {
  if (url === '' || url.slice(0, 5).toLowerCase() === 'data:') return undefined
  return isHttps(url) ? problemOfUrl(url) : 'must be an https or data: URL'
}

/** Finds the first of these members with a URL that a vendor must not fetch, in an object of unknown kind. */
export function innerLinkIn(
  object: unknown,
  names: readonly string[],
  problemOfUrl: FindUrlProblem,
): RequestProblem | undefined {
  if (!isJsonObject(object)) return undefined
  for (const path of names) {
    const value = object[path]
    if (typeof value !== 'string' || !/^https?:\/\//i.test(value.slice(0, 8))) continue
    const problem = problemOfUrl(value.replace(/^http:/i, 'https:'))
    if (problem !== undefined) return { path, problem }
  }
  return undefined
}
