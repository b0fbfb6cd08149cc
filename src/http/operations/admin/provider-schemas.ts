import { json } from '../../../domain/json/json-schema.ts'
import { field } from './fields.ts'

const BREAKER = json.object({
  target: json.string({
    description:
      'The calls that the breaker counts: those of an operation, and for a text provider of a model, by the name that its vendor uses.',
  }),
  organization_id: json.nullable(field.text(), {
    description: 'Only calls of this organization are held back. null: all calls.',
  }),
  state: json.oneOf(['closed', 'open', 'half-open'], {
    description: '`open`: calls are refused. `half-open`: one call tries the provider, others are refused.',
  }),
  since: json.nullable(field.time(), {
    description:
      'When the breaker was closed or opened last. null: it is closed since the start of the process.',
  }),
  failures: json.integer({
    description:
      'While the breaker is closed: failures since the last success. Else: the failures that opened it, and the failed tries since.',
  }),
  last_failure: json.nullable(json.object({ at: field.time(), outcome: field.text() }), {
    description:
      '`outcome` is a status class such as `5xx`, or the way in which the call failed, as in the metrics.',
  }),
  next_try: json.nullable(field.time(), {
    description: 'The first call after this moment tries the provider again. null while it is closed.',
  }),
})

export const PROVIDER = json.object({
  name: field.text(),
  driver: field.text(),
  base_url: field.text(),
  source: json.oneOf(['file', 'store', 'sandbox'], {
    description:
      '`file`: it stands in `sluice.yaml`, and is changed there. `sandbox`: its replies are made up.',
  }),
  state: json.oneOf(['active', 'disabled', 'shadowed'], {
    description:
      '`disabled`: it takes no requests. `shadowed`: `sluice.yaml` has a provider of this name, and that one is in force.',
  }),
  organization_id: field.textOrNull(),
  models: json.nullable(json.array(field.text()), {
    description: 'The models of the provider. null: the models of its family.',
  }),
  key_hints: json.array(field.text(), {
    description: 'Last four characters of each key; `****` for a short one.',
  }),
  settings: json.nullable(json.object({}), {
    description:
      'Members as in `sluice.yaml`, without secrets. null: the store has no provider of this name.',
  }),
  changed_at: json.nullable(field.time()),
  health: json.object({
    breaker: json.oneOf(['closed', 'open', 'half-open'], {
      description: 'The state of the worst of `breakers`.',
    }),
    breakers: json.array(BREAKER, {
      description:
        'The breakers of this replica, at most 100: those for all calls that were used since the start, and those for one organization that are not closed.',
    }),
    keys_resting: json.integer({ description: 'Keys that the provider refused or limited a moment ago.' }),
    calls: json.integer({ description: 'Calls of the last five minutes.' }),
    errors: json.integer({ description: 'Calls without an answer, or with a 5xx.' }),
    refusals: json.integer({ description: 'Calls with a 4xx.' }),
    last_error: json.nullable(
      json.object({ at: field.time(), operation: field.text(), outcome: field.text() }),
    ),
  }),
})

export const CHECKS = json.object({
  ok: json.boolean(),
  checks: json.array(
    json.object({
      name: field.text(),
      ok: json.boolean(),
      warning: json.optional(json.boolean()),
      cause: json.optional(field.text()),
      detail: field.text(),
      fix: json.optional(field.text()),
    }),
  ),
})

export const PRESET = json.object({
  name: field.text(),
  title: field.text(),
  driver: field.text(),
  needs_key: json.boolean(),
  needs_base_url: json.boolean({ description: 'Whether `base_url` has to name your own server.' }),
  prices_taken: json.nullable(field.text(), {
    description: 'Day of the prices. null: it has no price list.',
  }),
  prices_page: field.textOrNull(),
  settings: json.object({}, { description: 'Members of the provider as in `sluice.yaml`, without the key.' }),
  models: json.array(json.object({}), { description: 'Rows as in a catalog file, with their prices.' }),
})
