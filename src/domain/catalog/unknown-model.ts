import { closestName } from '../closest-name.ts'
import { Refusal } from '../refusal.ts'

/** Longer names are no slips of a finger, and comparing them letter by letter costs time. */
const NAME_LENGTH_MAX = 128

/** Names the model that was asked for, and the one that was most likely meant. */
export function unknownModel(name: string, offered: readonly string[]): Refusal {
  if (name.length > NAME_LENGTH_MAX) return new Refusal('model_not_found', { param: 'model' })
  const nearest = closestName(name, offered)
  const advice =
    nearest === undefined ? 'GET /v1/models lists the models you can use.' : `Did you mean ${nearest}?`
  return new Refusal('model_not_found', {
    message: `The model ${JSON.stringify(name)} does not exist or is not offered here. ${advice}`,
    param: 'model',
  })
}
