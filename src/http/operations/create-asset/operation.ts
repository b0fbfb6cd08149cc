import { ASSET_TYPES } from '../../../domain/assets/asset.ts'
import { ASSET_NAME_CHARACTERS_MAX } from '../../../domain/assets/asset-view.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { HTTPS_URL_PATTERN, URL_LENGTH_MAX } from '../../../domain/parse-https-url.ts'
import type { Operation } from '../../operation.ts'
import { ASSET_ID } from '../get-asset/asset-schema.ts'
import { parseCreateAsset } from './parse-create-asset.ts'

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
      json.string({ maxLength: ASSET_NAME_CHARACTERS_MAX, description: 'A label to find it by.' }),
    ),
  },
  { examples: [{ url: 'https://example.com/landscape.png', asset_type: 'Image', name: 'lock' }] },
)

export const createAsset: Operation = {
  id: 'createAsset',
  method: 'POST',
  path: '/v1/video/assets',
  area: 'video',
  access: 'api-key',
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
    503: {
      description:
        'The asset service is not configured or not available, the store is unreachable, or the gateway is busy.',
    },
  },
  handle:
    ({ app }) =>
    async ({ body, caller }) => {
      const request = parseCreateAsset(body, app.isAllowedUrl)
      const { id } = await app.createAsset({ request, caller })
      return { id, object: 'video.asset', status: 'processing' }
    },
}
