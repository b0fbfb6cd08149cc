import { RequestError } from '../request-error.ts'
import { findModel, type ValueRange } from './find-model.ts'
import { spliceBytes } from './splice-bytes.ts'

/**
 * Replaces the value of the top-level `model` in a request's bytes. They are a valid JSON object without duplicate members.
 * A request may be megabytes long: a caller that has found the range before passes it.
 */
export function replaceModel(bytes: Buffer, model: string, known?: ValueRange): Buffer {
  const place = known ?? findModel(bytes)
  if (place === undefined)
    throw new RequestError('missing_parameter', { message: 'model is required', param: 'model' })
  return spliceBytes(bytes, [{ start: place.start, end: place.end, text: JSON.stringify(model) }])
}
