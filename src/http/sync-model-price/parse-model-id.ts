import { Refusal } from '../../domain/refusal.ts'
import { readMember } from '../read-member.ts'

const PARAM = 'model_id'

export function parseModelId(body: unknown): number {
  const modelId = readMember(body, PARAM)
  if (typeof modelId !== 'number' || !Number.isSafeInteger(modelId) || modelId < 1) {
    throw new Refusal('invalid_parameter', { message: 'model_id must be a positive integer', param: PARAM })
  }
  return modelId
}
