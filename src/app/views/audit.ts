import { json } from '../../domain/json/json-schema.ts'
import { answer, shown } from './present.ts'

export const AUDIT_EVENT = answer({
  id: shown.text(),
  at: shown.time(),
  actor: shown.text(),
  action: shown.text(),
  organization_id: shown.textOrNull(),
  subject: shown.text(),
  detail: json.object({}),
})
