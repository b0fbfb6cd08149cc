import { ASSET_STATUSES, ASSET_TYPES } from '../../../domain/assets/asset.ts'
import { json } from '../../../domain/json/json-schema.ts'

export const ASSET_FIELDS = {
  name: json.optional(json.string({ description: 'Only if the asset has a name.' })),
  asset_type: json.oneOf(ASSET_TYPES),
  group_id: json.optional(json.string({ description: 'Only for the assets of a verified person.' })),
  status: json.oneOf(ASSET_STATUSES, { description: 'Only an `active` asset can be used.' }),
  url: json.optional(
    json.string({
      description: 'Only when `active`: a signed link to the processed media, good for about 12 hours.',
    }),
  ),
  error: json.optional(
    json.object(
      {
        code: json.string({ description: 'Such as `moderation_rejected` or `face_mismatch`.' }),
        message: json.string(),
      },
      { description: 'Only when `failed`.' },
    ),
  ),
  created_at: json.string({ format: 'date-time' }),
  updated_at: json.string({ format: 'date-time' }),
}

export const ASSET_ID = json.string({
  description: 'Id of the asset. A create request names the asset as `asset://<id>`.',
})

export const Asset = json.object({ id: ASSET_ID, object: json.literal('video.asset'), ...ASSET_FIELDS })
