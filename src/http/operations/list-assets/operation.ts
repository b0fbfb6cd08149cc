import { ASSET_STATUSES } from '../../../domain/assets/asset.ts'
import { ASSET_SORT_KEYS, SORT_ORDERS } from '../../../domain/assets/asset-query.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { clientOperation } from '../../operation.ts'
import { ASSET_FIELDS, ASSET_ID, ASSETS_UNAVAILABLE } from '../get-asset/asset-schema.ts'
import { presentAssetItem } from '../get-asset/present-asset.ts'
import { PAGE_MAX, parseListAssets } from './parse-list-assets.ts'

/** Excludes the NUL character, which PostgreSQL cannot store. */
const STORABLE = '^[^\\u0000]*$'

const ONE_STATUS = `\\s*(?:${ASSET_STATUSES.join('|')})\\s*`
/** One status, or several separated by commas; an empty value counts as not given. */
const STATUS_LIST = `^(?:${ONE_STATUS}(?:,${ONE_STATUS})*)?$`

export const listAssets = clientOperation('listAssets', 'GET /v1/video/assets', 'video', {
  isHot: true,
  summary: 'List assets',
  description:
    'The assets of one group of this organization, newest first, with the status that the gateway stored last.',
  query: {
    group_id: {
      schema: json.string({ pattern: STORABLE }),
      description: 'A verified person. Left out: the default group.',
    },
    status: {
      schema: json.string({ pattern: STATUS_LIST }),
      description: '`active`, `processing`, `failed`, or several of them with commas between.',
    },
    name: {
      schema: json.string({ pattern: STORABLE }),
      description: 'Only assets whose name contains this text.',
    },
    page: {
      schema: json.integer({ minimum: 1, maximum: PAGE_MAX, default: 1 }),
      description: 'Number of the page, from 1.',
    },
    limit: {
      schema: json.integer({ minimum: 0, default: 10 }),
      description: 'Assets on a page. 0 means 10; more than 100 is taken as 100.',
    },
    sort_by: { schema: json.oneOf(ASSET_SORT_KEYS, { default: 'create_time' }), description: 'The order.' },
    sort_order: {
      schema: json.oneOf(SORT_ORDERS, { default: 'desc' }),
      description: 'Direction of the order.',
    },
  },
  replies: {
    200: {
      description: 'One page of assets.',
      schema: json.object({
        object: json.literal('list'),
        items: json.array(json.object({ id: ASSET_ID, ...ASSET_FIELDS })),
        total_count: json.integer({ description: 'The number of assets on all pages.' }),
        page_number: json.integer(),
        page_size: json.integer({ description: 'The limit that was applied.' }),
      }),
    },
    400: {
      description:
        '`status must be active, processing, or failed`, another parameter is not valid, or `group id error`: the group is not one of this organization.',
    },
    ...ASSETS_UNAVAILABLE,
  },
  async serve({ app }, request, reply) {
    const query = parseListAssets(request.query)
    const { assets, totalCount } = await app.listAssets({ query, caller: request.caller })
    // The response contains signed links, which no cache may keep.
    reply.header('cache-control', 'no-store')
    return {
      object: 'list',
      items: assets.map(presentAssetItem),
      total_count: totalCount,
      page_number: query.page,
      page_size: query.limit,
    }
  },
})
