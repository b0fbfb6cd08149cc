import { readMember } from '../../body/request-body.ts'
import { clientOperation } from '../../operation.ts'
import { listAssets } from '../list-assets/operation.ts'
import { ASSETS_UNAVAILABLE, Asset } from './asset-schema.ts'
import { presentAsset } from './present-asset.ts'

export const getAsset = clientOperation('getAsset', 'GET /v1/video/assets/:asset_id', 'video', {
  isHot: true,
  summary: 'Get an asset',
  description:
    'While the asset is `processing`, or when its link is old, the vendor is asked. If the vendor does not answer in time, the asset is returned as it is stored.',
  example: { earlier: { operation: listAssets, query: '?limit=1', take: ['items', 0, 'id'] } },
  replies: {
    200: { description: 'The asset.', schema: Asset },
    404: { description: 'This organization has no such asset.' },
    ...ASSETS_UNAVAILABLE,
  },
  async serve({ app }, request, reply) {
    const id = String(readMember(request.params, 'asset_id'))
    const asset = await app.getAsset({ id, caller: request.caller })
    // A cached signed link would open the media to other readers.
    reply.header('cache-control', 'no-store')
    return presentAsset(asset)
  },
})
