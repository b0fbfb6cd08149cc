import { json } from '../../domain/json/json-schema.ts'
import type { DependencyCheck, ProviderHealth } from '../../ports/installation.ts'
import type { ProviderView } from '../providers/provider-view.ts'
import { answer, shown } from './present.ts'
import { presentTime } from './times.ts'

export const SETTING = answer({
  name: shown.text(),
  group: shown.text(),
  value: shown.textOrNull(),
  is_secret: json.boolean(),
  is_default: json.boolean(),
})

const BREAKER = answer({
  target: json.string({
    description:
      'The calls that the breaker counts: an operation, or for a text provider the name that the vendor has for the model.',
  }),
  organization_id: json.nullable(shown.text(), {
    description: 'Only calls of this organization are held back. null: all calls.',
  }),
  state: json.oneOf(['closed', 'open', 'half-open'], {
    description: '`open`: calls are refused. `half-open`: one call tries the provider, others are refused.',
  }),
  since: shown.timeOrNull({
    description: 'When the breaker closed or opened last. null: it is closed since the process started.',
  }),
  failures: json.integer({
    description:
      'While the breaker is closed: failures since the last success. While it is open or half-open: the failures that opened it, and the tries that have failed since.',
  }),
  last_failure: json.nullable(json.object({ at: shown.time(), outcome: shown.text() }), {
    description:
      '`outcome` is a status class such as `5xx`, or the way in which the call failed, as in the metrics.',
  }),
  next_try: shown.timeOrNull({
    description: 'The first call after this moment tries the provider again. null while it is closed.',
  }),
})

export const PROVIDER = answer({
  name: shown.text(),
  driver: shown.text(),
  base_url: shown.text(),
  source: json.oneOf(['file', 'store', 'sandbox'], {
    description: '`file`: `sluice.yaml` has it, and it is changed there. `sandbox`: its replies are made up.',
  }),
  state: json.oneOf(['active', 'disabled', 'shadowed'], {
    description:
      '`disabled`: it takes no requests. `shadowed`: `sluice.yaml` has a provider of this name, which is used instead.',
  }),
  organization_id: shown.textOrNull(),
  models: json.nullable(json.array(shown.text()), {
    description: 'The models of the provider. null: the models of its family.',
  }),
  key_hints: json.array(shown.text(), {
    description: 'Last four characters of each key; `****` for a short key.',
  }),
  settings: json.nullable(json.object({}), {
    description: 'Members as in `sluice.yaml`, without secrets. null: the store has no such provider.',
  }),
  changed_at: shown.timeOrNull(),
})

const HEALTH = answer({
  breaker: json.oneOf(['closed', 'open', 'half-open'], {
    description: 'The state of the worst of `breakers`.',
  }),
  breakers: json.array(BREAKER.schema, {
    description:
      'The breakers of this replica, at most 100: those for all calls that were used since the start, and those for one organization that are not closed.',
  }),
  keys_resting: json.integer({ description: 'Keys that the provider refused or limited a moment ago.' }),
  calls: json.integer({ description: 'Calls of the last five minutes.' }),
  errors: json.integer({ description: 'Calls without an answer, or with a 5xx.' }),
  refusals: json.integer({ description: 'Calls with a 4xx.' }),
  last_error: json.nullable(
    json.object({ at: shown.time(), operation: shown.text(), outcome: shown.text() }),
  ),
})

export const PROVIDER_WITH_HEALTH = json.object({ ...PROVIDER.members, health: HEALTH.schema })

export const CHECKS = json.object({
  ok: json.boolean(),
  checks: json.array(
    json.object({
      name: shown.text(),
      ok: json.boolean(),
      warning: json.optional(json.boolean()),
      cause: json.optional(shown.text()),
      detail: shown.text(),
      fix: json.optional(shown.text()),
    }),
  ),
})

export const PRESET = answer({
  name: shown.text(),
  title: shown.text(),
  driver: shown.text(),
  needs_key: json.boolean(),
  needs_base_url: json.boolean({ description: 'Whether `base_url` has to name your own server.' }),
  prices_taken: json.nullable(shown.text(), {
    description: 'Day of the prices. null: it has no price list.',
  }),
  prices_page: shown.textOrNull(),
  settings: json.object({}, { description: 'Members of the provider as in `sluice.yaml`, without the key.' }),
  models: json.array(json.object({}), { description: 'Rows as in a catalog file, with their prices.' }),
})

export function providerJson(provider: ProviderView, { breakers, lastError, ...health }: ProviderHealth) {
  const shownHealth = {
    ...health,
    breakers: breakers.map((breaker) =>
      BREAKER.present({ ...breaker, lastFailure: breaker.lastFailure && withTime(breaker.lastFailure) }),
    ),
    lastError: lastError && withTime(lastError),
  }
  return { ...PROVIDER.present(provider), health: HEALTH.present(shownHealth) }
}

function withTime<Failure extends { atMs: number }>({ atMs, ...failure }: Failure) {
  return { at: presentTime(atMs), ...failure }
}

/** Output of `sluice doctor --json` and `sluice provider test --json`. */
export function checksJson(checks: readonly DependencyCheck[]) {
  return { ok: checks.every(({ ok }) => ok), checks }
}
