import { answer } from '../../../app/views/present.ts'
import { USER } from '../../../app/views/tenants.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { ZERO_MICROS } from '../../../domain/billing/micros.ts'
import { formatUsdDecimal, parseUsdMicros } from '../../../domain/billing/usd.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminAnswer, adminRows, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { field } from './fields.ts'

const ERASED_USER = answer({ id: field.text(), organization_id: field.text(), erased: json.literal(true) })

export const users: readonly Operation[] = [
  adminRows('adminListUsers', '/users', USER, {
    isDated: true,
    summary: 'List users',
    query: ORGANIZATION_FILTER,
    page: (query, { operator }) => operator.pages.users(query),
  }),
  adminAnswer('adminCreateUser', 'POST /users', USER, {
    summary: 'Make a user of an organization',
    body: json.object({ organization_id: field.id('org'), name: json.nullish(field.name()) }),
    errors: { 404: 'There is no such organization, or `admin endpoints disabled`.' },
    run: ({ operator, body }) =>
      operator.createUser({
        organizationId: body.text('organization_id'),
        name: body.textOr('name', '').trim(),
      }),
  }),
  adminAnswer('adminGetUser', 'GET /users/:id', USER, {
    summary: 'Show a user',
    run: ({ operator, id }) => operator.showUser(id),
  }),
  adminAnswer('adminDisableUser', 'POST /users/:id/disable', USER, {
    summary: 'Disable a user',
    description: "Within 5 seconds the user's keys get 403 `user_disabled`, and running streams end.",
    run: ({ operator, id }) => operator.disableUser(id),
  }),
  adminAnswer('adminEnableUser', 'POST /users/:id/enable', USER, {
    summary: 'Enable a user again',
    run: ({ operator, id }) => operator.enableUser(id),
  }),
  adminAnswer('adminSetUserLimit', 'POST /users/:id/limit', USER, {
    summary: "Set a user's daily limit",
    description: 'A limit in force must be above 0. Running servers have it within 5 seconds.',
    body: json.object({
      max_daily_user_limit: json.string({
        pattern: '^\\d{1,9}(?:\\.\\d{1,6})?$',
        description: 'US dollars a calendar day, as a decimal text with at most 6 decimals.',
        examples: ['5.25'],
      }),
      enable_limit: json.optional(json.boolean({ default: true })),
    }),
    async run({ operator, id, body }) {
      const limitMicros = parseUsdMicros(body.text('max_daily_user_limit')) ?? ZERO_MICROS
      const maxDailyUserLimit = formatUsdDecimal(limitMicros)
      const enableLimit = body.has('enable_limit') ? body.flag('enable_limit') : true
      if (enableLimit && limitMicros === 0) {
        const message = 'enable_limit=true requires max_daily_user_limit > 0'
        throw new ApiError('unsupported_combination', { param: 'max_daily_user_limit', message })
      }
      return operator.setUserLimit({ id, maxDailyUserLimit, enableLimit })
    },
  }),
  adminAnswer('adminEraseUser', 'DELETE /users/:id', ERASED_USER, {
    role: 'owner',
    summary: 'Erase a user',
    description: 'The name is gone and keys are revoked; what was used stays counted.',
    run: async ({ operator, id }) => ({ ...(await operator.eraseUser(id)), erased: true }),
  }),
]
