import { MODEL_NAME_LENGTH_MAX, MODEL_SHAPE } from '@sluice/dialects/values/names'
import { json } from '../../domain/json/json-schema.ts'

export const TextModel = json.string({
  maxLength: MODEL_NAME_LENGTH_MAX,
  pattern: MODEL_SHAPE.source,
  description: '`<provider>/<model_name>`, or an alias.',
})

export const ClientSchema = json.anything({ type: 'object', description: 'A JSON schema.' })
