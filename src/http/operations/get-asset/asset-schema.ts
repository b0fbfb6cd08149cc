import { ASSET_STATUSES, ASSET_TYPES } from '../../../domain/assets/asset.ts'
import { json } from '../../../domain/json/json-schema.ts'

export const ASSET_FIELDS = {
  name: json.optional(json.string({ description: 'The label of the asset; absent without one.' })),
  asset_type: json.oneOf(ASSET_TYPES),
  group_id: json.optional(
    json.string({ description: 'The group of a verified person; absent for other assets.' }),
  ),
  status: json.oneOf(ASSET_STATUSES, { description: 'Only an `active` asset can be used.' }),
  url: json.optional(
    json.string({
      description: 'A signed link to the processed media, valid about 12 hours; present only when `active`.',
    }),
  ),
  error: json.optional(
    json.object(
      {
        code: json.string({ description: 'A code such as `moderation_rejected` or `face_mismatch`.' }),
        message: json.string(),
      },
      { description: 'The reason; present only when `failed`.' },
    ),
  ),
  created_at: json.string({ format: 'date-time' }),
  updated_at: json.string({ format: 'date-time' }),
}

export const ASSET_ID = json.string({
  description: 'Id of the asset. A create request names the asset as `asset://<id>`.',
})

/** Replies of every operation that needs the asset service. */
export const ASSETS_UNAVAILABLE = {
  503: {
    description: 'The asset service is not configured, the store is not available, or the gateway is busy.',
  },
}

export const Asset = json.object({ id: ASSET_ID, object: json.literal('video.asset'), ...ASSET_FIELDS })
