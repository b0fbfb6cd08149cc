import { json } from '../../../domain/json/json-schema.ts'
import { field } from './fields.ts'

const BREAKER = json.object({
  target: json.string({
    description:
      'What it keeps apart: an operation, and of a text provider also the model, by the name that its vendor has for it.',
  }),
  organization_id: json.nullable(field.text(), {
    description: 'Only calls of this organization are held back. null: all calls.',
  }),
  state: json.oneOf(['closed', 'open', 'half-open'], {
    description: '`open`: calls are refused. `half-open`: one call tries the provider, others are refused.',
  }),
  since: json.nullable(field.time(), {
    description: 'Since when it is closed, or is not. null: since the start of the process.',
  }),
  failures: json.integer({
    description:
      'While it is closed, those since the last success; else those that opened it, and the tries that failed since.',
  }),
  last_failure: json.nullable(json.object({ at: field.time(), outcome: field.text() }), {
    description: 'Its outcome is a status class such as `5xx`, or how the call failed, as in the metrics.',
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
  models: json.nullable(json.array(field.text()), { description: 'null: those of its family.' }),
  key_hints: json.array(field.text(), {
    description: 'Last four characters of each key; `****` for a short one.',
  }),
  settings: json.nullable(json.object({}), {
    description: 'Members as in `sluice.yaml`, without secrets. null: it is not of the store.',
  }),
  changed_at: json.nullable(field.time()),
  health: json.object({
    breaker: json.oneOf(['closed', 'open', 'half-open'], { description: 'That of the worst of `breakers`.' }),
    breakers: json.array(BREAKER, {
      description:
        'Of this replica: others have their own. Those for all calls, by what was called since the start, and those for one organization that are not closed; at most 100.',
    }),
    keys_resting: json.integer({ description: 'Keys that the provider refused or limited a moment ago.' }),
    calls: json.integer({ description: 'Calls of the last five minutes.' }),
    errors: json.integer({ description: 'Those without an answer, or with a 5xx.' }),
    refusals: json.integer({ description: 'Those with a 4xx.' }),
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
