import { isJsonObject } from '@sluice/dialects/json/json-object'
import { ApiError, invalidParameter } from '../../../domain/api-error.ts'
import { ASSET_TYPES, type AssetType } from '../../../domain/assets/asset.ts'
import {
  ASSET_NAME_CHARACTERS_MAX,
  type AssetRequest,
  isAssetName,
} from '../../../domain/assets/asset-view.ts'
import { json } from '../../../domain/json/json-schema.ts'
import {
  HTTPS_URL_PATTERN,
  parseHttpsUrl,
  URL_LENGTH_MAX,
  type UrlCheck,
} from '../../../domain/parse-https-url.ts'
import { clientOperation } from '../../operation.ts'
import { ASSET_ID, ASSETS_UNAVAILABLE } from '../get-asset/asset-schema.ts'

const Body = json.object(
  {
    url: json.string({
      format: 'uri',
      maxLength: URL_LENGTH_MAX,
      pattern: `^${HTTPS_URL_PATTERN}$`,
      description: 'A public HTTPS link to the media itself.',
    }),
    asset_type: json.oneOf(ASSET_TYPES),
    group_id: json.nullish(
      json.string({
        description: 'For a portrait: the group of the verified person. Left out: the default group.',
      }),
    ),
    name: json.nullish(
      json.string({ maxLength: ASSET_NAME_CHARACTERS_MAX, description: 'A label of the asset.' }),
    ),
  },
  { examples: [{ url: 'https://example.com/landscape.png', asset_type: 'Image', name: 'lock' }] },
)

export const createAsset = clientOperation('createAsset', 'POST /v1/video/assets', 'video', {
  summary: 'Create an asset',
  description:
    'Registers an image, a video or an audio file. It is fetched, checked and moderated after the answer; when it is `active`, a create request can use it as `asset://<id>`.',
  body: { schema: Body, limitBytes: 1024 * 1024 },
  replies: {
    200: {
      description: 'The new asset.',
      schema: json.object({
        id: ASSET_ID,
        object: json.literal('video.asset'),
        status: json.literal('processing'),
      }),
    },
    400: {
      description:
        '`body must be valid JSON`, a parameter is missing or not allowed, the vendor refuses the media, or `group id error`: the group is not one of this organization.',
    },
    429: { description: 'Too many requests, or the vendor is busy.' },
    502: { description: 'The vendor failed at an upload into the group of a person.' },
    ...ASSETS_UNAVAILABLE,
  },
  async serve({ app }, { body, caller }) {
    const request = parseCreateAsset(body, app.isAllowedUrl)
    const { id } = await app.createAsset({ request, caller })
    return { id, object: 'video.asset', status: 'processing' }
  },
})

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
  throw invalidParameter('asset_type', 'asset_type must be Image, Video, or Audio.')
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
  throw invalidParameter('name', `name must be a string of at most ${ASSET_NAME_CHARACTERS_MAX} characters.`)
}

function isNil(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
