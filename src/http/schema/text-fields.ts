import { MODEL_NAME_LENGTH_MAX, MODEL_NAME_SHAPE } from '@sluice/dialects/values/names'
import { json } from '../../domain/json/json-schema.ts'

/** Model of a text request. */
export const TextModel = json.string({
  maxLength: MODEL_NAME_LENGTH_MAX,
  pattern: MODEL_NAME_SHAPE.source,
  description: '`<provider>/<model_name>`',
})

export const ClientSchema = json.anything({ type: 'object', description: 'A JSON schema.' })
