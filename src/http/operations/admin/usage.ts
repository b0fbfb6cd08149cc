import { usageJson } from '../../../app/views/usage.ts'
import { adminOperation, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { json } from '../../schema/json-schema.ts'
import { getUsage, USAGE_SUM } from '../get-usage/operation.ts'

const { by, from, to } = getUsage.query ?? {}
const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000

export const usage: readonly Operation[] = [
  adminOperation({
    id: 'adminGetUsage',
    method: 'GET',
    path: '/usage',
    summary: 'Add up usage and cost',
    description: 'Of one organization or of all, in ascending order of the groups.',
    query: {
      ...(by && { by }),
      ...(from && { from }),
      ...(to && { to }),
      ...ORGANIZATION_FILTER,
      limit: {
        schema: json.integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT }),
        description: `Rows on a page, 1 to ${LIMIT_MAX}.`,
      },
      cursor: { schema: json.string(), description: '`next_cursor` of the page before.' },
    },
    reply: json.object({
      object: json.literal('list'),
      data: json.array(USAGE_SUM),
      has_more: json.boolean(),
      next_cursor: json.string({ description: 'Empty on the last page.' }),
    }),
    async run({ operator, query }) {
      const page = await operator.sumUsage({
        ...(query.has('by') && { by: query.text('by') }),
        ...(query.has('from') && { from: query.text('from') }),
        ...(query.has('to') && { to: query.text('to') }),
        organizationId: query.textOr('organization_id', undefined),
        limit: query.numberOr('limit', LIMIT_DEFAULT),
        cursor: query.textOr('cursor', '') || undefined,
      })
      return {
        object: 'list',
        data: page.sums.map(usageJson),
        has_more: page.nextCursor !== undefined,
        next_cursor: page.nextCursor ?? '',
      }
    },
  }),
]
