import { balanceJson } from '../../../app/views/usage.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { clientOperation } from '../../operation.ts'

export const getBalance = clientOperation('getBalance', 'GET /v1/balance', 'responses', {
  isHot: true,
  summary: 'Show the balance',
  description:
    'The balance of the organization of this key, in millionths of a US dollar. Text requests that ended within the last moment may not be charged yet.',
  replies: {
    200: {
      description: 'The balance.',
      schema: json.object({
        object: json.literal('balance'),
        organization_id: json.string(),
        billing: json.oneOf(['prepaid', 'postpaid']),
        balance_micros: json.integer({
          description:
            'The balance, including money that is held. Below zero, a postpaid organization owes the amount.',
        }),
        held_micros: json.integer({ description: 'Money that is set aside for work that has not ended.' }),
        available_micros: json.integer({ description: 'The balance minus the held money.' }),
      }),
    },
  },
  serve: async ({ app }, request) => balanceJson(await app.showBalance(request.caller.organizationId)),
})
