import { ASSET, GROUP, VERIFICATION } from '../../../app/views/assets.ts'
import { erasedJson } from '../../../app/views/erasures.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { ASSET_STATUSES } from '../../../domain/assets/asset.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { VERIFICATION_STATES } from '../../../ports/operator-pages.ts'
import { adminAnswer, adminOperation, adminRows, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { field } from './fields.ts'

const COPIES = json.object({
  provider: field.text(),
  asset_ids: json.array(field.text()),
  group_id: field.textOrNull(),
})

/** Files of erased tasks and assets, of which copies were kept. */
export const FILES = json.array(
  json.object({
    task_id: json.optional(field.text()),
    asset_id: json.optional(field.text()),
    sha256: field.text(),
  }),
)

export const ERASED = json.object({
  group_id: field.text(),
  erased: json.literal(true),
  assets: json.array(field.text()),
  files: FILES,
  removing: COPIES,
  to_remove_by_hand: COPIES,
})

const KINDS = ['default', 'person'] as const

export const assets: readonly Operation[] = [
  adminRows('adminListAssets', '/assets', ASSET, {
    isDated: true,
    summary: 'List assets',
    query: {
      ...ORGANIZATION_FILTER,
      status: { schema: json.oneOf(ASSET_STATUSES), description: 'Only assets in this status.' },
      group_id: { schema: field.id('group'), description: 'Only assets of this group.' },
    },
    page: (query, { operator, query: given }) =>
      operator.pages.assets({
        ...query,
        status: given.oneOf('status', ASSET_STATUSES),
        groupId: given.textOr('group_id', undefined),
      }),
  }),
  adminAnswer('adminGetAsset', 'GET /assets/:id', ASSET, {
    summary: 'Show an asset',
    run: async ({ operator, id }) => only(await operator.pages.assets({ id, limit: 1 })),
  }),
  adminRows('adminListGroups', '/groups', GROUP, {
    isDated: true,
    summary: 'List groups of assets',
    query: {
      ...ORGANIZATION_FILTER,
      kind: { schema: json.oneOf(KINDS), description: 'Only groups of this kind.' },
    },
    page: (query, { operator, query: given }) =>
      operator.pages.groups({ ...query, kind: given.oneOf('kind', KINDS) }),
  }),
  adminAnswer('adminGetGroup', 'GET /groups/:id', GROUP, {
    summary: 'Show a group of assets',
    run: async ({ operator, id }) => only(await operator.pages.groups({ id, limit: 1 })),
  }),
  adminOperation('adminErasePerson', 'DELETE /groups/:id', {
    role: 'owner',
    summary: 'Erase a verified person',
    description:
      'Group, portraits and verification are gone, and later tasks that refer to them are refused. The report lists the copies that the vendor still has.',
    reply: ERASED,
    async run({ operator, id }) {
      const { organizationId } = only(await operator.pages.groups({ id, limit: 1 }))
      return erasedJson(await operator.erasePerson({ groupId: id, organizationId }))
    },
  }),
  adminRows('adminListVerifications', '/verifications', VERIFICATION, {
    isDated: true,
    summary: 'List verifications of people',
    query: {
      ...ORGANIZATION_FILTER,
      state: {
        schema: json.oneOf(VERIFICATION_STATES),
        description: 'Only verifications in this state.',
      },
    },
    page: (query, { operator, query: given }) =>
      operator.pages.verifications({ ...query, state: given.oneOf('state', VERIFICATION_STATES) }),
  }),
  adminAnswer('adminGetVerification', 'GET /verifications/:id', VERIFICATION, {
    summary: 'Show a verification',
    run: async ({ operator, id }) => only(await operator.pages.verifications({ id, limit: 1 })),
  }),
]

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new ApiError('not_found')
  return row
}
