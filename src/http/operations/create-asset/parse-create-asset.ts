import { isJsonObject } from '@sluice/dialects/json/json-object'
import { ApiError } from '../../../domain/api-error.ts'
import { ASSET_TYPES, type AssetType } from '../../../domain/assets/asset.ts'
import {
  ASSET_NAME_CHARACTERS_MAX,
  type AssetRequest,
  isAssetName,
} from '../../../domain/assets/asset-view.ts'
import { parseHttpsUrl, type UrlCheck } from '../../../domain/parse-https-url.ts'

/** Reads the body of an upload. Texts that are `null` or empty count as not given. */
export function parseCreateAsset(body: unknown, isAllowedUrl: UrlCheck): AssetRequest {
  if (!isJsonObject(body)) {
    throw new ApiError('invalid_parameter', { message: 'The body must be a JSON object.' })
  }
  return {
    url: parseUrl(body.url, isAllowedUrl),
    type: parseAssetType(body.asset_type),
    groupId: parseGroupId(body.group_id),
    name: parseName(body.name),
  }
}

function parseUrl(url: unknown, isAllowedUrl: UrlCheck): string {
  if (isNil(url)) throw new ApiError('missing_parameter', { param: 'url', message: 'url is required.' })
  return parseHttpsUrl(url, 'url', isAllowedUrl)
}

function parseAssetType(type: unknown): AssetType {
  if (isNil(type)) {
    throw new ApiError('missing_parameter', { param: 'asset_type', message: 'asset_type is required.' })
  }
  const known = ASSET_TYPES.find((one) => one === type)
  if (known !== undefined) return known
  throw wrong('asset_type', 'asset_type must be Image, Video, or Audio.')
}

/** A value that cannot be an id gets the same answer as an id of another organization. */
function parseGroupId(groupId: unknown): string | undefined {
  if (isNil(groupId)) return undefined
  if (typeof groupId === 'string') return groupId
  throw new ApiError('group_id_error', { param: 'group_id' })
}

function parseName(name: unknown): string | undefined {
  if (isNil(name)) return undefined
  if (typeof name === 'string' && isAssetName(name)) return name
  throw wrong('name', `name must be a string of at most ${ASSET_NAME_CHARACTERS_MAX} characters.`)
}

function isNil(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function wrong(param: string, message: string): ApiError {
  return new ApiError('invalid_parameter', { param, message })
}
