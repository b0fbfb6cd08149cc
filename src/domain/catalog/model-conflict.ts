import { ApiError } from '../api-error.ts'
import { NEW_MODEL_ID } from './model.ts'

interface NumberedModel {
  modelId: number
  name: string
}

/** A name keeps its number and a number its name, because other systems use either. undefined: they agree. */
export function modelConflict(wanted: NumberedModel, stored: readonly NumberedModel[]): ApiError | undefined {
  const sameName = stored.find(({ name }) => name === wanted.name)
  if (wanted.modelId === NEW_MODEL_ID) return sameName && nameInUse(wanted.name)
  if (sameName !== undefined && sameName.modelId !== wanted.modelId) {
    return refuse(
      `${wanted.name} has the model_id ${sameName.modelId}, and that never changes. Write model_id: ${sameName.modelId} instead of ${wanted.modelId}.`,
    )
  }
  const sameId = stored.find(({ modelId }) => modelId === wanted.modelId)
  if (sameId !== undefined && sameId.name !== wanted.name) {
    return refuse(
      `The model_id ${wanted.modelId} belongs to ${sameId.name}. Give ${wanted.name} a number that is free.`,
    )
  }
  return undefined
}

function nameInUse(name: string): ApiError {
  return new ApiError('invalid_parameter', {
    param: 'name',
    message: `There is a model ${name} already. Change that one, or choose another name.`,
  })
}

function refuse(message: string): ApiError {
  return new ApiError('invalid_parameter', { message, param: 'model_id' })
}
