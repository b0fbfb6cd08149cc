import { ApiError } from '../api-error.ts'
import type { Caller } from './api-key.ts'

type Allowed = Pick<Caller, 'allowedModels'>

export function isAllowedModel({ allowedModels }: Allowed, name: string): boolean {
  return allowedModels === null || allowedModels.includes(name)
}

/** The name, or 403. A key with a list learns nothing about other models, not even whether they exist. */
export function requireAllowedModel(caller: Allowed, name: string): string {
  if (!isAllowedModel(caller, name)) throw new ApiError('model_not_allowed', { param: 'model' })
  return name
}
