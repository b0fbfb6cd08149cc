import { ApiError } from '../api-error.ts'
import type { Caller } from './api-key.ts'

type Allowed = Pick<Caller, 'allowedModels'>

export function isAllowedModel({ allowedModels }: Allowed, name: string): boolean {
  return allowedModels === null || allowedModels.includes(name)
}

/**
 * Returns the name of the model, which the client may have named by an alias, or throws 403. A key with a list of models
 * learns nothing about other models, not even whether they exist.
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
