import { Refusal } from '../../domain/errors.ts'
import { findModels } from './find-models.ts'
import { spliceBytes } from './splice-bytes.ts'

/**
 * A request's own bytes with only the value of its top-level `model` replaced. They are known to be a valid JSON object.
 * Readers do not agree on which of two members of one name counts, so two models are refused.
 */
export function replaceModel(bytes: Buffer, model: string): Buffer {
  const places = findModels(bytes)
  const [place] = places
  if (place === undefined)
    throw new Refusal('missing_parameter', { message: 'model is required', param: 'model' })
  if (places.length > 1)
    throw new Refusal('invalid_parameter', { message: 'model must be given once', param: 'model' })
  return spliceBytes(bytes, [{ ...place, text: JSON.stringify(model) }])
}
