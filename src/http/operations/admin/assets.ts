import { assetJson, groupJson, verificationJson } from '../../../app/views/assets.ts'
import { erasedJson } from '../../../app/views/erasures.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { ASSET_STATUSES } from '../../../domain/assets/asset.ts'
import { VERIFICATION_STATES } from '../../../ports/operator-pages.ts'
import { adminList, adminOperation, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { json } from '../../schema/json-schema.ts'
import { field } from './fields.ts'

const ASSET = json.object({
  id: field.text(),
  organization_id: field.text(),
  group_id: field.text(),
  group_kind: field.text(),
  provider: field.text(),
  asset_type: field.text(),
  name: field.textOrNull(),
  status: json.oneOf(['processing', 'active', 'failed']),
  upstream_id: field.text(),
  error: json.nullable(json.object({ code: field.text(), message: field.text() })),
  created_at: field.time(),
  updated_at: field.time(),
})

const GROUP = json.object({
  id: field.text(),
  organization_id: field.text(),
  kind: field.text(),
  provider: field.text(),
  upstream_id: field.text(),
  created_at: field.time(),
})

const VERIFICATION = json.object({
  id: field.text(),
  organization_id: field.text(),
  provider: field.text(),
  language: field.textOrNull(),
  created_at: field.time(),
  expires_at: field.time(),
  ended_at: field.timeOrNull(),
})

const COPIES = json.object({
  provider: field.text(),
  asset_ids: json.array(field.text()),
  group_id: field.textOrNull(),
})

/** The receipt of an erasure, with the ids that the vendor knows its copies by. */
export const ERASED = json.object({
  group_id: field.text(),
  erased: json.literal(true),
  assets: json.array(field.text()),
  removing: COPIES,
  to_remove_by_hand: COPIES,
})

const KINDS = ['default', 'person'] as const

export const assets: readonly Operation[] = [
  adminList({
    id: 'adminListAssets',
    path: '/assets',
    summary: 'List assets',
    query: {
      ...ORGANIZATION_FILTER,
      status: { schema: json.oneOf(ASSET_STATUSES), description: 'Only assets in this status.' },
      group_id: { schema: field.id('group'), description: 'Only assets of this group.' },
    },
    item: ASSET,
    page: (query, { operator, query: given }) =>
      operator.pages.assets({
        ...query,
        status: given.oneOf('status', ASSET_STATUSES),
        groupId: given.textOr('group_id', undefined),
      }),
    positionOf: ({ id }) => id,
    view: assetJson,
  }),
  adminOperation({
    id: 'adminGetAsset',
    method: 'GET',
    path: '/assets/:id',
    summary: 'Show an asset',
    reply: ASSET,
    run: async ({ operator, id }) => assetJson(only(await operator.pages.assets({ id, limit: 1 }))),
  }),
  adminList({
    id: 'adminListGroups',
    path: '/groups',
    summary: 'List groups of assets',
    query: {
      ...ORGANIZATION_FILTER,
      kind: { schema: json.oneOf(KINDS), description: 'Only groups of this kind.' },
    },
    item: GROUP,
    page: (query, { operator, query: given }) =>
      operator.pages.groups({ ...query, kind: given.oneOf('kind', KINDS) }),
    positionOf: ({ id }) => id,
    view: groupJson,
  }),
  adminOperation({
    id: 'adminGetGroup',
    method: 'GET',
    path: '/groups/:id',
    summary: 'Show a group of assets',
    reply: GROUP,
    run: async ({ operator, id }) => groupJson(only(await operator.pages.groups({ id, limit: 1 }))),
  }),
  adminOperation({
    id: 'adminErasePerson',
    method: 'DELETE',
    path: '/groups/:id',
    role: 'owner',
    summary: 'Erase a verified person',
    description:
      'Group, portraits and verification are gone, and later tasks that refer to them are refused. The receipt lists the copies that the vendor still has.',
    reply: ERASED,
    async run({ operator, id }) {
      const { organizationId } = only(await operator.pages.groups({ id, limit: 1 }))
      return erasedJson(await operator.erasePerson({ groupId: id, organizationId }))
    },
  }),
  adminList({
    id: 'adminListVerifications',
    path: '/verifications',
    summary: 'List verifications of people',
    query: {
      ...ORGANIZATION_FILTER,
      state: {
        schema: json.oneOf(VERIFICATION_STATES),
        description: 'Only those that wait for the person, have ended, or have expired.',
      },
    },
    item: VERIFICATION,
    page: (query, { operator, query: given }) =>
      operator.pages.verifications({ ...query, state: given.oneOf('state', VERIFICATION_STATES) }),
    positionOf: ({ id }) => id,
    view: verificationJson,
  }),
  adminOperation({
    id: 'adminGetVerification',
    method: 'GET',
    path: '/verifications/:id',
    summary: 'Show a verification',
    reply: VERIFICATION,
    run: async ({ operator, id }) =>
      verificationJson(only(await operator.pages.verifications({ id, limit: 1 }))),
  }),
]

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new ApiError('not_found')
  return row
}
