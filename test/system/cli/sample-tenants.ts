/** Rows as the commands print them with `--json`. */
export const CREATED = '2026-01-02T03:04:05.000Z'
export const ORGANIZATION = {
  id: 'org_1',
  name: 'Acme',
  billing: 'prepaid',
  balance_micros: 5_250_000,
  held_micros: 1,
  requests_per_minute: null,
  created_at: CREATED,
  disabled_at: null,
  events_url: null,
  keep_replies: null,
  record_bodies: 'off',
  keep_media: null,
  callback_retries: 'default',
  low_balance_micros: null,
}
export const USER = {
  id: 'usr_1',
  organization_id: 'org_1',
  name: '',
  max_daily_user_limit: null,
  enable_limit: false,
  created_at: CREATED,
  disabled_at: null,
}
export const KEY = {
  id: 'key_1',
  prefix: 'sk-sluice-AbCd',
  organization_id: 'org_1',
  user_id: 'usr_1',
  name: 'production',
  requests_per_minute: 60,
  created_at: CREATED,
  revoked_at: null,
  expires_at: null,
  models: null,
  monthly_budget_micros: null,
}
