import { json } from '../../domain/json/json-schema.ts'
import { LOGGED_OPERATIONS } from '../../ports/usage.ts'
import { answer, shown } from './present.ts'

export const LOGGED_REQUEST = answer({
  request_id: json.nullable(json.string(), { description: 'null: the row counts refusals.' }),
  at: shown.time(),
  operation: json.nullable(json.oneOf(LOGGED_OPERATIONS)),
  organization_id: shown.text(),
  key_id: shown.text(),
  user_id: shown.text(),
  model: json.nullable(json.string(), { description: 'The model that the client asked for.' }),
  served_by: json.nullable(json.string(), { description: 'The model that answered.' }),
  provider: shown.textOrNull(),
  status: json.nullable(json.integer(), {
    description: 'HTTP status. A stream that broke has 200 and a `code`.',
  }),
  code: shown.textOrNull(),
  input_tokens: shown.countOrNull(),
  output_tokens: shown.countOrNull(),
  cost_micros: json.integer({
    description: 'Millionths of a US dollar, before refunds; 0 until a video is settled.',
  }),
  first_token_ms: shown.countOrNull(),
  duration_ms: shown.countOrNull(),
  task_id: shown.textOrNull(),
  not_kept: json.nullable(json.integer(), {
    description: 'With `refusals_not_kept`: how many refusals of the key in one minute have no row.',
  }),
})
