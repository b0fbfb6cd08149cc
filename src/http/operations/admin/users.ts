import { USER, userJson } from '../../../app/views/tenants.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminList, adminOperation, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { field } from './fields.ts'

export const users: readonly Operation[] = [
  adminList('adminListUsers', '/users', {
    isDated: true,
    summary: 'List users',
    query: ORGANIZATION_FILTER,
    item: USER.schema,
    page: (query, { operator }) => operator.pages.users(query),
    positionOf: ({ id }) => id,
    view: userJson,
  }),
  adminOperation('adminCreateUser', 'POST /users', {
    summary: 'Make a user of an organization',
    body: json.object({ organization_id: field.id('org'), name: json.nullish(field.name()) }),
    reply: USER.schema,
    errors: { 404: 'There is no such organization, or `admin endpoints disabled`.' },
    run: async ({ operator, body }) =>
      userJson(
        await operator.createUser({
          organizationId: body.text('organization_id'),
          name: body.textOr('name', '').trim(),
        }),
      ),
  }),
  adminOperation('adminGetUser', 'GET /users/:id', {
    summary: 'Show a user',
    reply: USER.schema,
    run: async ({ operator, id }) => userJson(await operator.showUser(id)),
  }),
  adminOperation('adminDisableUser', 'POST /users/:id/disable', {
    summary: 'Disable a user',
    description: "Within 5 seconds the user's keys get 403 `user_disabled`, and running streams end.",
    reply: USER.schema,
    run: async ({ operator, id }) => userJson(await operator.disableUser(id)),
  }),
  adminOperation('adminEnableUser', 'POST /users/:id/enable', {
    summary: 'Enable a user again',
    reply: USER.schema,
    run: async ({ operator, id }) => userJson(await operator.enableUser(id)),
  }),
  adminOperation('adminSetUserLimit', 'POST /users/:id/limit', {
    summary: "Set a user's daily limit",
    description: 'A limit in force must be above 0. Running servers have it within a second.',
    body: json.object({
      max_daily_user_limit: json.string({
        pattern: '^\\d{1,9}(?:\\.\\d{1,6})?$',
        description: 'US dollars a calendar day, as a decimal text with at most 6 decimals.',
        examples: ['5.25'],
      }),
      enable_limit: json.optional(json.boolean({ default: true })),
    }),
    reply: USER.schema,
    async run({ operator, id, body }) {
      const maxDailyUserLimit = shortest(body.text('max_daily_user_limit'))
      const enableLimit = body.has('enable_limit') ? body.flag('enable_limit') : true
      if (enableLimit && maxDailyUserLimit === '0') {
        const message = 'enable_limit=true requires max_daily_user_limit > 0'
        throw new ApiError('unsupported_combination', { param: 'max_daily_user_limit', message })
      }
      return userJson(await operator.setUserLimit({ id, maxDailyUserLimit, enableLimit }))
    },
  }),
  adminOperation('adminEraseUser', 'DELETE /users/:id', {
    role: 'owner',
    summary: 'Erase a user',
    description: 'The name is gone and keys are revoked; what was used stays counted.',
    reply: json.object({ id: field.text(), organization_id: field.text(), erased: json.literal(true) }),
    async run({ operator, id }) {
      const { organizationId } = await operator.eraseUser(id)
      return { id, organization_id: organizationId, erased: true }
    },
  }),
]

/** Shortest equal decimal, computed without binary fractions. */
function shortest(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  const decimals = fraction.replace(/0+$/, '')
  return decimals === '' ? `${BigInt(whole)}` : `${BigInt(whole)}.${decimals}`
}
