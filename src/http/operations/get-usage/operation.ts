import { usageJson } from '../../../app/views/usage.ts'
import { invalidParameter } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import type { RawUsageQuery } from '../../../domain/usage/usage-query.ts'
import { clientOperation } from '../../operation.ts'
import { pageSchema, parsePageQuery, presentPage } from '../../schema/page-query.ts'

const LIMITS = { limitDefault: 100, limitMax: 1_000 }

export const USAGE_SUM = json.object(
  {
    day: json.optional(
      json.string({ description: 'The day in UTC, such as `2026-11-01`. Only with `by=day`.' }),
    ),
    hour: json.optional(
      json.string({
        description: 'The beginning of the hour, such as `2026-11-01T05:00:00Z`. Only with `by=hour`.',
      }),
    ),
    organization_id: json.optional(json.string()),
    user_id: json.optional(json.string()),
    key_id: json.optional(json.string()),
    model: json.optional(json.string({ description: 'The model that served the requests.' })),
    requests: json.integer(),
    errors: json.integer({ description: 'The number of requests that failed.' }),
    input_tokens: json.integer(),
    cached_input_tokens: json.integer(),
    cache_write_tokens: json.integer(),
    output_tokens: json.integer(),
    video_seconds: json.number(),
    cost_micros: json.integer({
      description: 'The cost in millionths of a US dollar, minus the refunds of this time.',
    }),
    cached_input_share: json.number({
      description: 'The share of all input tokens that the vendor read from its cache: 0 to 1.',
    }),
  },
  { title: 'UsageSum' },
)

export const getUsage = clientOperation('getUsage', 'GET /v1/usage', 'responses', {
  summary: 'Add up usage and cost',
  description:
    'The usage of the organization of this key, in ascending order of the groups. A text request counts when it is charged, right after its reply; a video when its task has succeeded.',
  query: {
    by: {
      schema: json.string({ default: 'day' }),
      description:
        'The groups of the sums: `day`, `hour`, `org`, `user`, `key`, `model`, or several of them with commas.',
    },
    from: {
      schema: json.string({ examples: ['2026-11-01'] }),
      description:
        'The first day, in UTC; or the first full hour, such as `2026-11-01T05:00Z`. Left out: 30 days before `to`, with `by=hour` 24 hours. Hours are kept for 90 days.',
    },
    to: {
      schema: json.string({ examples: ['2026-12-01'] }),
      description: 'The day or hour before which the period ends. Left out: now.',
    },
    limit: {
      schema: json.integer({ minimum: 0, default: LIMITS.limitDefault }),
      description: 'Rows on a page. 0 means 100; more than 1,000 is taken as 1,000.',
    },
    cursor: { schema: json.string(), description: '`next_cursor` of the page before.' },
  },
  replies: {
    200: { description: 'One page of sums.', schema: pageSchema(USAGE_SUM) },
    400: { description: 'A parameter is not valid.' },
  },
  async serve({ app }, request) {
    const { organizationId } = request.caller
    const words = parseWords(request.query)
    const page = await app.sumUsage({ ...words, ...parsePageQuery(request.query, LIMITS), organizationId })
    return presentPage(page.sums.map(usageJson), page.nextCursor)
  },
})

/** Refuses a repeated parameter. */
function parseWords(query: unknown): RawUsageQuery {
  const words: RawUsageQuery = {}
  for (const name of ['by', 'from', 'to'] as const) {
    const value: unknown = Object(query)[name]
    if (value === undefined) continue
    if (typeof value !== 'string') throw invalidParameter(name, `${name} must be given once.`)
    words[name] = value
  }
  return words
}
