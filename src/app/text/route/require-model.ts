import { isModelName } from '@sluice/dialects/values/names'
import { requireAllowedModel } from '../../../domain/access/allowed-models.ts'
import { ApiError } from '../../../domain/api-error.ts'
import type { PricedModel } from '../../../domain/catalog/model.ts'
import type { TextCommand } from '../contract/text-command.ts'

/** Returns the model's name for a name or alias. Throws 400 for other texts, 403 for a forbidden model. */
export function requireModel({ caller, body }: TextCommand, model: PricedModel | undefined): string {
  const asked = String(body.value.model)
  if (model === undefined && !isModelName(asked))
    throw new ApiError('invalid_parameter', {
      param: 'model',
      message: 'model must have the shape <provider>/<model_name>, or be an alias that GET /v1/models lists.',
    })
  return requireAllowedModel(caller, asked, model)
}
