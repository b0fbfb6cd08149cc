import { HOLDS, overviewJson, PERIOD } from '../../../app/views/overview.ts'
import { CHARGE, chargeJson, usageJson } from '../../../app/views/usage.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminOperation, ORGANIZATION_FILTER, pagingOf } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { pageSchema, presentPage } from '../../schema/page-query.ts'
import { getUsage, USAGE_SUM } from '../get-usage/operation.ts'
import { field } from './fields.ts'

const { by, from, to } = getUsage.query ?? {}
const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000

export const usage: readonly Operation[] = [
  adminOperation('adminGetUsage', 'GET /usage', {
    summary: 'Add up usage and cost',
    description: 'The usage of one organization or of all, in ascending order of the groups.',
    query: {
      ...(by && { by }),
      ...(from && { from }),
      ...(to && { to }),
      ...ORGANIZATION_FILTER,
      ...pagingOf({ limitMax: LIMIT_MAX, limitDefault: LIMIT_DEFAULT, cursor: json.string() }),
    },
    reply: pageSchema(USAGE_SUM),
    async run({ operator, query }) {
      const page = await operator.sumUsage({
        ...query.named('by', 'from', 'to', 'organization_id'),
        limit: query.numberOr('limit', LIMIT_DEFAULT),
        cursor: query.textOr('cursor', '') || undefined,
      })
      return presentPage(page.sums.map(usageJson), page.nextCursor)
    },
  }),
  adminOperation('adminGetCharge', 'GET /usage/:id', {
    summary: 'Trace one charge',
    description:
      'By the id of a request (`x-request-id`) that a text model answered or that made a video task, of a usage row or of a video task: what served it, what it used, and the prices that applied.',
    reply: CHARGE,
    run: async ({ operator, id }) => chargeJson(await operator.showUsage(id)),
  }),
  adminOperation('adminGetOverview', 'GET /overview', {
    summary: 'Show the figures of a period and of the period before',
    description:
      'Without dates the period is the last 24 hours. Quantiles come from sums of histograms; those of the latency leave videos out. Tasks are those made in the period, counted up to 100,000. `now` is this moment, whatever the period.',
    query: { ...(from && { from }), ...(to && { to }) },
    reply: json.object({
      object: json.literal('overview'),
      from: field.time(),
      to: field.time(),
      current: PERIOD.schema,
      previous: json.nullable(PERIOD.schema, {
        description: 'The period of equal length before this one; null where its hours are no longer kept.',
      }),
      now: json.object({
        tasks: json.object({
          ...{ submitting: field.count(), queued: field.count(), running: field.count() },
          set_aside: field.count(),
        }),
        oldest_due_poll_seconds: json.integer({
          description: 'Time for which the most overdue task has waited for its poll.',
        }),
        at_risk_micros: field.micros(),
        holds: json.object({ task: HOLDS.schema, allowance: HOLDS.schema }),
      }),
    }),
    run: async ({ operator, query }) => overviewJson(await operator.showOverview(query.named('from', 'to'))),
  }),
]
