import { Refusal } from '../../domain/errors.ts'
import { findModels, type Place } from './find-models.ts'
import { spliceBytes } from './splice-bytes.ts'

/**
 * A request's own bytes with only the value of its top-level `model` replaced. They are known to be a valid JSON object.
 */
export function replaceModel(bytes: Buffer, model: string): Buffer {
  const [place] = modelsOf(bytes)
  if (place === undefined)
    throw new Refusal('missing_parameter', { message: 'model is required', param: 'model' })
  refuseTwoModels(bytes)
  return spliceBytes(bytes, [{ ...place, text: JSON.stringify(model) }])
}

/** Readers do not agree on which of two members of one name counts. */
export function refuseTwoModels(bytes: Buffer): void {
  if (modelsOf(bytes).length > 1)
    throw new Refusal('invalid_parameter', { message: 'model must be given once', param: 'model' })
}

/** A request is asked about twice, and may be megabytes long. */
const FOUND = new WeakMap<Buffer, readonly Place[]>()

function modelsOf(bytes: Buffer): readonly Place[] {
  const known = FOUND.get(bytes)
  if (known !== undefined) return known
  const places = findModels(bytes)
  FOUND.set(bytes, places)
  return places
}
