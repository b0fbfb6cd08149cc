import type { GatewayOperator } from '../../../app/operator.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminOperation } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { field } from './fields.ts'

const reply = json.object({
  object: json.literal('demo'),
  organization_ids: json.array(field.id('org')),
  filling: json.boolean({ description: 'Whether the answering process is making up traffic now.' }),
})

export const demo: readonly Operation[] = [
  adminOperation('adminGetDemo', 'GET /demo', {
    summary: 'List the customers of the demo',
    reply,
    run: ({ operator }) => show(operator),
  }),
  adminOperation('adminFillDemo', 'POST /demo', {
    role: 'owner',
    summary: 'Make up a month of traffic of three customers',
    description: 'Works only in a store without customers and providers. The answer may come before the end.',
    reply,
    async run({ operator }) {
      if (operator.demo === undefined) throw new ApiError('not_found')
      await operator.demo.fill()
      return show(operator)
    },
  }),
  adminOperation('adminRemoveDemo', 'DELETE /demo', {
    role: 'owner',
    summary: 'Remove the customers of the demo with all their rows',
    description:
      'Their keys are refused first; the answer comes when no request of theirs spends money any more.',
    reply,
    errors: {
      404: 'There is no demo, or `admin endpoints disabled`.',
      503: 'Requests of the demo still run.',
    },
    async run({ operator }) {
      if (operator.demo?.isFilling()) throw new ApiError('overloaded', { message: STILL_FILLING })
      await operator.removeDemo()
      return show(operator)
    },
  }),
]

const STILL_FILLING = 'The demo is still being made; try again in a minute.'

async function show({ listDemo, demo }: GatewayOperator) {
  return { object: 'demo', organization_ids: await listDemo(), filling: demo?.isFilling() ?? false }
}
