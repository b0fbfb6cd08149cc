import type { ApiError } from '../../domain/api-error.ts'
import type { JsonObject } from '../../domain/json-object.ts'
import { invalidParameter } from '../canonical/bad-parameter.ts'
import type { LossName } from '../canonical/losses.ts'
import type { DocumentSource, ImageSource, ResultPart } from '../canonical/request.ts'
import { base64Problem } from '../values/base64-problem.ts'
import { hasUnknownFields } from '../values/values.ts'
import { textOf } from './wire.ts'

export function readImage(part: JsonObject, at: string, losses: Set<LossName>): ResultPart {
  const url = textOf(part.image_url)
  if (url === '') throw storedFile(at, 'an https or data: URL in image_url')
  if (hasUnknownFields(part, IMAGE_FIELDS)) losses.add('unknown_field')
  const detail = textOf(part.detail)
  return {
    kind: 'image',
    source: readUrl(url, `${at}.image_url`),
    detail: detail === '' || detail === 'auto' ? undefined : detail,
  }
}

/** `file_data` is a data: URL, or bare base64 whose kind only the name tells. */
export function readFile(part: JsonObject, at: string, losses: Set<LossName>): ResultPart {
  const name = textOf(part.filename) || undefined
  const data = textOf(part.file_data)
  const url = textOf(part.file_url)
  if (data === '' && url === '') throw storedFile(at, 'its content in file_data')
  if (hasUnknownFields(part, FILE_FIELDS)) losses.add('unknown_field')
  const detail = textOf(part.detail)
  if (detail !== '' && detail !== 'auto') losses.add('image_detail')
  return { kind: 'document', source: data === '' ? readUrl(url, `${at}.file_url`) : fileData(data), name }

  function fileData(text: string): DocumentSource {
    if (text.startsWith('data:')) return readUrl(text, `${at}.file_data`)
    return { kind: 'base64', mediaType: mediaTypeOf(name), data: checked(text, `${at}.file_data`) }
  }
}

const PART_FIELDS = ['type', 'detail', 'file_id', 'prompt_cache_breakpoint']
const IMAGE_FIELDS: ReadonlySet<string> = new Set([...PART_FIELDS, 'image_url'])
const FILE_FIELDS: ReadonlySet<string> = new Set([...PART_FIELDS, 'filename', 'file_data', 'file_url'])

const BASE64_MARK = ';base64'

function readUrl(url: string, at: string): ImageSource {
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

function checked(data: string, at: string): string {
  const problem = base64Problem(data)
  if (problem !== undefined) throw invalidParameter(at, problem)
  return data
}

function mediaTypeOf(name: string | undefined): string {
  const lower = name?.toLowerCase() ?? ''
  return lower.endsWith('.txt') || lower.endsWith('.md') ? 'text/plain' : 'application/pdf'
}

function storedFile(at: string, instead: string): ApiError {
  return invalidParameter(
    `${at}.file_id`,
    `names a file that only its own vendor keeps: send ${instead} instead`,
  )
}

export function isHttps(url: string): boolean {
  return url.slice(0, 8).toLowerCase() === 'https://'
}
