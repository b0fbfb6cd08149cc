import { ApiError } from '../api-error.ts'
import type { Caller } from './api-key.ts'

type Allowed = Pick<Caller, 'allowedModels'>

export function isAllowedModel({ allowedModels }: Allowed, name: string): boolean {
  return allowedModels === null || allowedModels.includes(name)
}

/**
 * The name of the model that was asked for by it or by an alias, or 403. A key with a list learns nothing about other models,
 * not even whether they exist.
 */
export function requireAllowedModel(
  caller: Allowed,
  asked: string,
  model: { name: string } | undefined,
): string {
  const name = model?.name ?? asked
  if (!isAllowedModel(caller, name)) throw new ApiError('model_not_allowed', { param: 'model' })
  return name
}
