import { balanceJson } from '../../../app/views/usage.ts'
import { json } from '../../../domain/json/json-schema.ts'
import type { Operation } from '../../operation.ts'

export const getBalance: Operation = {
  id: 'getBalance',
  method: 'GET',
  path: '/v1/balance',
  area: 'responses',
  access: 'api-key',
  summary: 'Show the balance',
  description:
    'Of the organization of this key, in millionths of a US dollar. Text requests that ended within the last moment may not be charged yet.',
  replies: {
    200: {
      description: 'The balance.',
      schema: json.object({
        object: json.literal('balance'),
        organization_id: json.string(),
        billing: json.oneOf(['prepaid', 'postpaid']),
        balance_micros: json.integer({
          description: 'With what is held. Below zero, a postpaid one owes it.',
        }),
        held_micros: json.integer({ description: 'Set aside for work that has not ended' }),
        available_micros: json.integer({ description: 'The balance less what is held' }),
      }),
    },
  },
  handle:
    ({ app }) =>
    async (request) =>
      balanceJson(await app.showBalance(request.caller.organizationId)),
}
