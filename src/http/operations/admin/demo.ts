import type { DemoReport } from '../../../app/operator.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminOperation } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { field } from './fields.ts'

const IDS = json.array(field.id('org'))

export const demo: readonly Operation[] = [
  adminOperation({
    id: 'adminGetDemo',
    method: 'GET',
    path: '/demo',
    summary: 'List the customers of the demo',
    reply: json.object({ object: json.literal('demo'), organization_ids: IDS }),
    run: async ({ operator }) => ({ object: 'demo', organization_ids: await operator.listDemo() }),
  }),
  adminOperation({
    id: 'adminFillDemo',
    method: 'POST',
    path: '/demo',
    role: 'owner',
    summary: 'Make up a month of traffic of three customers',
    description: 'Only in a store without customers and providers. The sandbox serves it, within seconds.',
    reply: json.object({
      object: json.literal('demo'),
      organization_ids: IDS,
      requests: json.integer(),
      videos: json.integer(),
    }),
    async run({ operator }) {
      if (operator.fillDemo === undefined) throw new ApiError('not_found')
      return demoJson(await operator.fillDemo({ besideCustomers: false }))
    },
  }),
  adminOperation({
    id: 'adminRemoveDemo',
    method: 'DELETE',
    path: '/demo',
    role: 'owner',
    summary: 'Remove the customers of the demo with all their rows',
    description:
      'Their keys are refused first; the answer comes when no request of theirs spends money any more.',
    reply: json.object({ object: json.literal('demo'), organization_ids: IDS }),
    errors: {
      404: 'There is no demo, or `admin endpoints disabled`.',
      503: 'Requests of the demo still run.',
    },
    async run({ operator }) {
      const { organizationIds } = await operator.removeDemo()
      return { object: 'demo', organization_ids: organizationIds }
    },
  }),
]

function demoJson({ organizationIds, requests, videos }: DemoReport): object {
  return { object: 'demo', organization_ids: organizationIds, requests, videos }
}
