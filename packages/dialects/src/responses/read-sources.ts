import { invalidParameter } from '../canonical/bad-parameter.ts'
import type { LossName } from '../canonical/losses.ts'
import { readFileData, readMediaUrl } from '../canonical/media-source.ts'
import type { ResultPart } from '../canonical/request.ts'
import type { JsonObject } from '../json/json-object.ts'
import type { RequestError } from '../request-error.ts'
import { hasUnknownFields, textOf } from '../values/values.ts'

export function readImage(part: JsonObject, at: string, losses: Set<LossName>): ResultPart {
  const url = textOf(part.image_url)
  if (url === '') throw storedFile(at, 'an https or data: URL in image_url')
  if (hasUnknownFields(part, IMAGE_FIELDS)) losses.add('unknown_field')
  const detail = textOf(part.detail)
  return {
    kind: 'image',
    source: readMediaUrl(url, `${at}.image_url`),
    detail: detail === '' || detail === 'auto' ? undefined : detail,
  }
}

export function readFile(part: JsonObject, at: string, losses: Set<LossName>): ResultPart {
  const name = textOf(part.filename) || undefined
  const data = textOf(part.file_data)
  const url = textOf(part.file_url)
  if (data === '' && url === '') throw storedFile(at, 'its content in file_data')
  if (hasUnknownFields(part, FILE_FIELDS)) losses.add('unknown_field')
  const detail = textOf(part.detail)
  if (detail !== '' && detail !== 'auto') losses.add('image_detail')
  const source =
    data === '' ? readMediaUrl(url, `${at}.file_url`) : readFileData(data, name, `${at}.file_data`)
  return { kind: 'document', source, name }
}

const PART_FIELDS = ['type', 'detail', 'file_id', 'prompt_cache_breakpoint']
const IMAGE_FIELDS: ReadonlySet<string> = new Set([...PART_FIELDS, 'image_url'])
const FILE_FIELDS: ReadonlySet<string> = new Set([...PART_FIELDS, 'filename', 'file_data', 'file_url'])

function storedFile(at: string, instead: string): RequestError {
  return invalidParameter(
    `${at}.file_id`,
    `names a file that only its own vendor keeps: send ${instead} instead`,
  )
}
