import { json } from '../../domain/json/json-schema.ts'
import { answer, shown } from './present.ts'

/** An asset without its link, which only its owner may open. */
export const ASSET = answer(
  {
    id: shown.text(),
    organization_id: shown.text(),
    group_id: shown.text(),
    group_kind: shown.text(),
    provider: shown.text(),
    asset_type: shown.text(),
    name: shown.textOrNull(),
    status: json.oneOf(['processing', 'active', 'failed']),
    upstream_id: shown.text(),
    error: json.nullable(json.object({ code: shown.text(), message: shown.text() })),
    created_at: shown.time(),
    updated_at: shown.time(),
  },
  { asset_type: 'type', upstream_id: 'ticket' },
)

export const GROUP = answer(
  {
    id: shown.text(),
    organization_id: shown.text(),
    kind: shown.text(),
    provider: shown.text(),
    upstream_id: shown.text(),
    created_at: shown.time(),
  },
  { upstream_id: 'ticket' },
)

export const VERIFICATION = answer({
  id: shown.text(),
  organization_id: shown.text(),
  provider: shown.text(),
  language: shown.textOrNull(),
  created_at: shown.time(),
  expires_at: shown.time(),
  ended_at: shown.timeOrNull(),
})
