import { ApiError } from '../../../domain/api-error.ts'
import { EXACT, json } from '../../../domain/json/json-schema.ts'
import { operatorNameOf, SYNC_FAILED, SYNC_NOT_WIRED, syncRunner } from '../../admin/run-sync.ts'
import { readMember } from '../../body/request-body.ts'
import type { Operation } from '../../operation.ts'

const modelIdSchema = json.integer({
  description: 'The `model_id` of the model table.',
  minimum: 1,
  maximum: EXACT.maximum,
})

export const syncModelPrice: Operation = {
  id: 'syncModelPrice',
  method: 'POST',
  path: '/admin/quota/cache/sync/model-price',
  area: 'admin',
  access: 'admin',
  summary: "Refresh a model's cached price",
  description:
    'Call it after you changed prices in the database directly: every replica then charges the new prices at once. A model that is no longer stored is removed from the cache.',
  body: { schema: json.object({ model_id: modelIdSchema }), limitBytes: 1024 * 1024 },
  replies: {
    200: {
      description: 'The cache is what the store says.',
      schema: json.object({ ok: json.literal(true), model_id: modelIdSchema }),
    },
    400: { description: '`model_id must be a positive integer`, or `body must be valid JSON`' },
    500: { description: `\`${SYNC_FAILED}\`: the store or the cache did not answer` },
    503: { description: `\`${SYNC_NOT_WIRED}\`, or the gateway is busy` },
  },
  handle(parts) {
    const runSync = syncRunner(parts)
    return async ({ body, admin }) => {
      const modelId = parseModelId(body)
      await runSync((quotaSync) => quotaSync.modelPrice(modelId, operatorNameOf(admin)))
      return { ok: true, model_id: modelId }
    }
  },
}

const PARAM = 'model_id'

function parseModelId(body: unknown): number {
  const modelId = readMember(body, PARAM)
  if (typeof modelId !== 'number' || !Number.isSafeInteger(modelId) || modelId < 1) {
    throw new ApiError('invalid_parameter', { message: 'model_id must be a positive integer', param: PARAM })
  }
  return modelId
}
