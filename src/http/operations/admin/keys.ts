import { KEY, KEY_BUDGET } from '../../../app/views/tenants.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminAnswer, adminOperation, adminRows, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { field, momentOf } from './fields.ts'

const OVERLAP_SECONDS = 24 * 3_600
const OVERLAP_SECONDS_MAX = 365 * OVERLAP_SECONDS

export const keys: readonly Operation[] = [
  adminRows('adminListKeys', '/keys', KEY, {
    isDated: true,
    summary: 'List API keys',
    query: {
      ...ORGANIZATION_FILTER,
      search: {
        schema: field.word(),
        description: 'Only those with this text in their name or first characters, in any case.',
      },
    },
    page: (query, { operator, query: given }) =>
      operator.pages.keys({ ...query, search: given.textOr('search', '').trim() || undefined }),
  }),
  adminOperation('adminCreateKey', 'POST /keys', {
    summary: 'Make an API key',
    description: 'The key itself is in this answer only; the store keeps its digest.',
    body: json.object({
      organization_id: field.id('org'),
      user_id: field.id('usr'),
      name: json.nullish(field.name()),
      requests_per_minute: json.nullish(field.requestsPerMinute()),
      expires_at: json.nullish(
        json.string({
          pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,3})?Z$',
          description: 'Time when the key stops working: ISO 8601 in UTC, such as 2027-01-31T00:00:00Z.',
          examples: ['2027-01-31T00:00:00Z'],
        }),
      ),
      models: json.nullish(
        json.array(json.string({ minLength: 1, maxLength: 200 }), {
          minItems: 1,
          maxItems: 100,
          description: 'The only models it may use, by the names of the catalog.',
        }),
      ),
      monthly_budget_micros: json.nullish(field.budget()),
    }),
    reply: json.object({ ...KEY.members, key: field.text() }),
    errors: { 404: 'The organization has no such user, or `admin endpoints disabled`.' },
    check: (body) => void (body.has('expires_at') && momentOf(body.text('expires_at'), 'expires_at')),
    async run({ operator, body }) {
      const { apiKey, key } = await operator.createKey({
        organizationId: body.text('organization_id'),
        userId: body.text('user_id'),
        name: body.textOr('name', '').trim(),
        requestsPerMinute: body.numberOr('requests_per_minute', null),
        expiresAtMs: body.has('expires_at') ? momentOf(body.text('expires_at'), 'expires_at') : null,
        allowedModels: body.has('models') ? body.texts('models') : null,
        monthlyBudgetMicros: body.microsOr('monthly_budget_micros', null),
      })
      return { ...KEY.present(apiKey), key }
    },
  }),
  adminAnswer('adminGetKey', 'GET /keys/:id', KEY, {
    summary: 'Show an API key',
    run: ({ operator, id }) => operator.showKey(id),
  }),
  adminAnswer('adminGetKeyBudget', 'GET /keys/:id/budget', KEY_BUDGET, {
    summary: "Show an API key's monthly budget and what is used of it",
    run: ({ operator, id }) => operator.showKeyBudget(id),
  }),
  adminAnswer('adminSetKeyBudget', 'POST /keys/:id/budget', KEY_BUDGET, {
    summary: 'Set what an API key may spend in a calendar month',
    description:
      'Beyond it clients get 429 `budget_exceeded`; the budget of its organization applies too. What is held counts, and refunds lower it. null: no budget.',
    body: json.object({ monthly_budget_micros: json.nullable(field.budget()) }),
    run: ({ operator, id, body }) =>
      operator.setKeyBudget({ id, monthlyBudgetMicros: body.microsOr('monthly_budget_micros', null) }),
  }),
  adminOperation('adminRotateKey', 'POST /keys/:id/rotate', {
    summary: 'Replace an API key',
    description:
      'The successor has the same terms and goes on with the budget of the month. The old key works for the overlap, 24 hours when left out; until then both may spend what was left of the budget.',
    body: json.object({
      overlap_seconds: json.nullish(
        json.integer({
          minimum: 0,
          maximum: OVERLAP_SECONDS_MAX,
          description: 'Whole seconds, at most a year.',
        }),
      ),
    }),
    reply: json.object({ ...KEY.members, key: field.text(), replaces: KEY.schema }),
    async run({ operator, id, body }) {
      const overlapMs = body.numberOr('overlap_seconds', OVERLAP_SECONDS) * 1_000
      const { apiKey, key, old } = await operator.rotateKey({ id, overlapMs })
      return { ...KEY.present(apiKey), key, replaces: KEY.present(old) }
    },
  }),
  adminAnswer('adminRevokeKey', 'DELETE /keys/:id', KEY, {
    summary: 'Revoke an API key',
    description: 'Every replica refuses it within 5 seconds.',
    run: ({ operator, id }) => operator.revokeKey(id),
  }),
]
