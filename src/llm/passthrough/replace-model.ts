import { ApiError } from '../../domain/api-error.ts'
import { findModels, type Place } from './find-models.ts'
import { spliceBytes } from './splice-bytes.ts'

/**
 * A request's own bytes with only the value of its top-level `model` replaced. They are known to be a valid JSON object.
 * A request may be megabytes long: a caller that has found the position before passes it.
 */
export function replaceModel(bytes: Buffer, model: string, known?: Place): Buffer {
  const place = known ?? placeOfModel(bytes)
  if (place === undefined)
    throw new ApiError('missing_parameter', { message: 'model is required', param: 'model' })
  return spliceBytes(bytes, [{ start: place.start, end: place.end, text: JSON.stringify(model) }])
}

/** Where the one `model` stands. Of two it is an error: readers do not agree on which of them counts. */
export function placeOfModel(bytes: Buffer): Place | undefined {
  const places = findModels(bytes)
  if (places.length > 1)
    throw new ApiError('invalid_parameter', { message: 'model must be given once', param: 'model' })
  return places[0]
}
