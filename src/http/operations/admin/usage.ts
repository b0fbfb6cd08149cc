import { overviewJson } from '../../../app/views/overview.ts'
import { chargeJson, usageJson } from '../../../app/views/usage.ts'
import { type JsonSchema, json } from '../../../domain/json/json-schema.ts'
import { adminOperation, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { getUsage, USAGE_SUM } from '../get-usage/operation.ts'
import { field } from './fields.ts'

const { by, from, to } = getUsage.query ?? {}
const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000

const QUANTILES = json.object({
  p50: field.countOrNull(),
  p95: field.countOrNull(),
  p99: field.countOrNull(),
})
const HOLDS = json.object({ count: field.count(), amount_micros: field.micros() })

const PERIOD = json.object({
  cost_micros: field.micros(),
  requests: field.count(),
  errors: field.count(),
  input_tokens: field.count(),
  cached_input_tokens: field.count(),
  cache_write_tokens: field.count(),
  output_tokens: field.count(),
  video_seconds: json.number(),
  first_token_ms: QUANTILES,
  latency_ms: QUANTILES,
  tasks: json.object({ succeeded: field.count(), failed: field.count(), cancelled: field.count() }),
  callbacks_given_up: field.count(),
})

const CHARGED = {
  organization_id: field.text(),
  user_id: field.textOrNull(),
  key_id: field.textOrNull(),
  provider: field.textOrNull(),
  model: field.text(),
  cost_micros: field.micros(),
  entry_id: field.text(),
  charged_at: field.time(),
}

/** Charge of a text request or of a video. Values that older rows do not have are null. */
const CHARGE: JsonSchema = {
  anyOf: [
    json.object({
      request_id: field.textOrNull(),
      usage_id: field.text(),
      ...CHARGED,
      asked_model: field.text(),
      price_model: field.textOrNull(),
      outcome: json.oneOf(['completed', 'failed', 'hung-up']),
      input_tokens: field.count(),
      cached_input_tokens: field.count(),
      cache_write_tokens: field.count(),
      output_tokens: field.count(),
      price_lines: json.nullable(
        json.array(
          json.object({
            unit: field.text(),
            quantity: json.number(),
            price_micros: field.micros(),
            of: json.optional(field.text()),
          }),
        ),
      ),
      vendor_usage: json.anything({ description: 'As the vendor sent it; a text where it was cut.' }),
      first_byte_ms: field.countOrNull(),
      duration_ms: field.count(),
      losses: json.array(field.text()),
    }),
    json.object({
      request_id: field.textOrNull(),
      task_id: field.textOrNull(),
      ...CHARGED,
      unit: field.textOrNull(),
      quantity: json.nullable(json.number()),
      price_micros: field.countOrNull(),
      video_seconds: json.number(),
      hold_micros: field.micros(),
      loss_micros: field.micros(),
      quote_loss_micros: field.micros(),
      refunded_micros: field.micros(),
    }),
  ],
}

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
  adminOperation({
    id: 'adminGetCharge',
    method: 'GET',
    path: '/usage/:id',
    summary: 'Trace one charge',
    description:
      'By the id of a request (`x-request-id`) that a text model answered or that made a video task, of a usage row or of a video task: what served it, what it used, and the prices that applied.',
    reply: CHARGE,
    run: async ({ operator, id }) => chargeJson(await operator.showUsage(id)),
  }),
  adminOperation({
    id: 'adminGetOverview',
    method: 'GET',
    path: '/overview',
    summary: 'Show the figures of a period and of the period before',
    description:
      'Without dates the last 24 hours. Quantiles come from sums of histograms; those of the latency leave videos out. Tasks are those made in the period, counted up to 100,000. `now` is this moment, whatever the period.',
    query: { ...(from && { from }), ...(to && { to }) },
    reply: json.object({
      object: json.literal('overview'),
      from: field.time(),
      to: field.time(),
      current: PERIOD,
      previous: json.nullable(PERIOD, { description: 'null where its hours are no longer kept.' }),
      now: json.object({
        tasks: json.object({
          ...{ submitting: field.count(), queued: field.count(), running: field.count() },
          set_aside: field.count(),
        }),
        oldest_due_poll_seconds: json.integer({
          description: 'How long the task waits that should have been polled first.',
        }),
        at_risk_micros: field.micros(),
        holds: json.object({ task: HOLDS, allowance: HOLDS }),
      }),
    }),
    run: async ({ operator, query }) =>
      overviewJson(
        await operator.showOverview({
          ...(query.has('from') && { from: query.text('from') }),
          ...(query.has('to') && { to: query.text('to') }),
        }),
      ),
  }),
]
