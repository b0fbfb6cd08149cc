import { ApiError } from '../../domain/api-error.ts'
import { findModel, type Place } from './find-model.ts'
import { spliceBytes } from './splice-bytes.ts'

/**
 * A request's own bytes with only the value of its top-level `model` replaced. They are known to be a valid JSON object
 * in which no member is given twice. A request may be megabytes long: a caller that has found the position before passes it.
 */
export function replaceModel(bytes: Buffer, model: string, known?: Place): Buffer {
  const place = known ?? findModel(bytes)
  if (place === undefined)
    throw new ApiError('missing_parameter', { message: 'model is required', param: 'model' })
  return spliceBytes(bytes, [{ start: place.start, end: place.end, text: JSON.stringify(model) }])
}
