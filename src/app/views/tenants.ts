import { ROLES } from '../../domain/access/operator-account.ts'
import { KEEP_MEDIA, KEEP_REPLIES, RECORD_BODIES, type User } from '../../domain/access/organization.ts'
import { CALLBACK_RETRIES } from '../../domain/callbacks/callback-retry.ts'
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

export const BILLINGS = ['prepaid', 'postpaid'] as const

export const ORGANIZATION = answer({
  id: shown.text(),
  name: shown.text(),
  billing: json.oneOf(BILLINGS),
  balance_micros: shown.micros(),
  held_micros: shown.micros(),
  requests_per_minute: shown.countOrNull(),
  created_at: shown.time(),
  disabled_at: shown.timeOrNull(),
  events_url: shown.textOrNull(),
  keep_replies: json.nullable(json.oneOf(KEEP_REPLIES)),
  callback_retries: json.oneOf(CALLBACK_RETRIES),
  record_bodies: json.oneOf(RECORD_BODIES),
  keep_media: json.nullable(json.oneOf(KEEP_MEDIA)),
  low_balance_micros: shown.countOrNull(),
})

export const CREDIT = answer(
  { organization_id: shown.text(), balance_micros: shown.micros(), held_micros: shown.micros() },
  { organization_id: 'id' },
)

export const BUDGET = answer(
  {
    organization_id: shown.text(),
    monthly_budget_micros: shown.countOrNull(),
    warn_at_percent: shown.countOrNull(),
    month: shown.text(),
    used_micros: shown.micros(),
    held_micros: shown.micros(),
  },
  { warn_at_percent: 'warnPercent' },
)

export const USER = answer({
  id: shown.text(),
  organization_id: shown.text(),
  name: shown.text(),
  max_daily_user_limit: json.nullable(json.number()),
  enable_limit: json.boolean(),
  created_at: shown.time(),
  disabled_at: shown.timeOrNull(),
}).from(({ maxDailyUserLimit: limit, ...user }: User) => ({
  ...user,
  maxDailyUserLimit: limit === null ? null : Number(limit),
}))

export const KEY = answer(
  {
    id: shown.text(),
    prefix: shown.text(),
    organization_id: shown.text(),
    user_id: shown.text(),
    name: shown.text(),
    requests_per_minute: shown.countOrNull(),
    created_at: shown.time(),
    revoked_at: shown.timeOrNull(),
    expires_at: shown.timeOrNull(),
    models: json.nullable(json.array(shown.text())),
    monthly_budget_micros: shown.countOrNull(),
  },
  { models: 'allowedModels' },
)

export const KEY_BUDGET = answer({
  key_id: shown.text(),
  organization_id: shown.text(),
  monthly_budget_micros: shown.countOrNull(),
  month: shown.text(),
  used_micros: shown.micros(),
  held_micros: shown.micros(),
})

export const OPERATOR = answer({
  id: shown.text(),
  name: shown.text(),
  role: json.oneOf(ROLES),
  prefix: shown.text(),
  created_at: shown.time(),
  revoked_at: shown.timeOrNull(),
})
