import { AUDIT_EVENT, OPERATOR } from '../../../app/views/tenants.ts'
import { ROLES } from '../../../domain/access/operator-account.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminAnswer, adminOperation, adminRows, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { field } from './fields.ts'

export const operators: readonly Operation[] = [
  adminRows('adminListOperators', '/operators', OPERATOR, {
    isDated: true,
    summary: 'List operators',
    page: (query, { operator }) => operator.pages.operators(query),
  }),
  adminOperation('adminCreateOperator', 'POST /operators', {
    role: 'owner',
    summary: 'Make an operator with a token',
    description:
      'viewer reads; operator does all but operators, prices, erasing and negative credit; owner does all. The token is in this answer only, and goes into `X-Admin-Key`.',
    body: json.object({ name: field.name(), role: json.oneOf(ROLES) }),
    reply: json.object({ ...OPERATOR.members, token: field.text() }),
    async run({ operator, body }) {
      const role = body.oneOf('role', ROLES) ?? 'viewer'
      const { account, token } = await operator.createOperator({ name: body.text('name').trim(), role })
      return { ...OPERATOR.present(account), token }
    },
  }),
  adminAnswer('adminRevokeOperator', 'DELETE /operators/:id', OPERATOR, {
    role: 'owner',
    summary: "End an operator's token",
    description: 'The token of the operator is refused immediately.',
    run: ({ operator, id }) => operator.revokeOperator(id),
  }),
  adminRows('adminListAudit', '/audit', AUDIT_EVENT, {
    isDated: true,
    summary: 'List what operators and the gateway have changed',
    query: {
      ...ORGANIZATION_FILTER,
      actor: {
        schema: field.word(),
        description: 'Only actions of this operator, of `cli` or of `gateway`.',
      },
      action: { schema: field.word(), description: 'Only this action, such as `credit.add`.' },
      subject: { schema: field.word(), description: 'Only actions on the row with this id.' },
    },
    page: (query, { operator, query: given }) =>
      operator.pages.audit({ ...query, ...given.named('actor', 'action', 'subject') }),
  }),
]
