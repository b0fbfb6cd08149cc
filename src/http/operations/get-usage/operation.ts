import { usageJson } from '../../../app/views/usage.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import type { RawUsageQuery } from '../../../domain/usage/usage-query.ts'
import type { Operation } from '../../operation.ts'
import { parsePageQuery } from '../../schema/page-query.ts'

const LIMITS = { limitDefault: 100, limitMax: 1_000 }

export const USAGE_SUM = json.object(
  {
    day: json.optional(json.string({ description: 'In UTC, such as `2026-11-01`; with `by=day`' })),
    hour: json.optional(
      json.string({ description: 'Its beginning, `2026-11-01T05:00:00Z`; with `by=hour`' }),
    ),
    organization_id: json.optional(json.string()),
    user_id: json.optional(json.string()),
    key_id: json.optional(json.string()),
    model: json.optional(json.string({ description: 'The model that served' })),
    requests: json.integer(),
    errors: json.integer({ description: 'Those of the requests that failed' }),
    input_tokens: json.integer(),
    cached_input_tokens: json.integer(),
    cache_write_tokens: json.integer(),
    output_tokens: json.integer(),
    video_seconds: json.number(),
    cost_micros: json.integer({
      description: 'Millionths of a US dollar, less what was refunded in this time',
    }),
    cached_input_share: json.number({
      description: 'Of all tokens that went in, the share that the vendor read from its cache: 0 to 1',
    }),
  },
  { title: 'UsageSum' },
)

export const getUsage: Operation = {
  id: 'getUsage',
  method: 'GET',
  path: '/v1/usage',
  area: 'responses',
  access: 'api-key',
  summary: 'Add up usage and cost',
  description:
    'Of the organization of this key, in ascending order of the groups. A text request counts when it is charged, right after its reply; a video when its task has succeeded.',
  query: {
    by: {
      schema: json.string({ default: 'day' }),
      description:
        'What to add up by: `day` or `hour`, `org`, `user`, `key`, `model`, or several with commas.',
    },
    from: {
      schema: json.string({ examples: ['2026-11-01'] }),
      description:
        'The first day, in UTC; or the first full hour, such as `2026-11-01T05:00Z`. Left out: 30 days before `to`, with `by=hour` 24 hours. Hours are kept for 90 days.',
    },
    to: {
      schema: json.string({ examples: ['2026-12-01'] }),
      description: 'The day or hour before which it ends. Left out: up to now.',
    },
    limit: {
      schema: json.integer({ minimum: 0, default: LIMITS.limitDefault }),
      description: 'Rows on a page. 0 means 100; more than 1,000 is taken as 1,000.',
    },
    cursor: { schema: json.string(), description: '`next_cursor` of the page before.' },
  },
  replies: {
    200: {
      description: 'One page of sums.',
      schema: json.object({
        object: json.literal('list'),
        data: json.array(USAGE_SUM),
        has_more: json.boolean(),
        next_cursor: json.string({ description: 'Empty on the last page.' }),
      }),
    },
    400: { description: 'A parameter is not valid.' },
  },
  handle:
    ({ app }) =>
    async (request) => {
      const { organizationId } = request.caller
      const words = parseWords(request.query)
      const page = await app.sumUsage({ ...words, ...parsePageQuery(request.query, LIMITS), organizationId })
      return {
        object: 'list',
        data: page.sums.map(usageJson),
        has_more: page.nextCursor !== undefined,
        next_cursor: page.nextCursor ?? '',
      }
    },
}

/** A repeated parameter counts as none. */
function parseWords(query: unknown): RawUsageQuery {
  const words: RawUsageQuery = {}
  for (const name of ['by', 'from', 'to'] as const) {
    const value: unknown = Object(query)[name]
    if (value === undefined) continue
    if (typeof value !== 'string')
      throw new ApiError('invalid_parameter', { param: name, message: `${name} must be given once.` })
    words[name] = value
  }
  return words
}
