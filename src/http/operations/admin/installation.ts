import { checksJson, providerJson, SETTING } from '../../../app/views/installation.ts'
import { present } from '../../../app/views/present.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminOperation } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
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

const PROVIDER = json.object({
  name: field.text(),
  driver: field.text(),
  base_url: field.text(),
  organization_id: field.textOrNull(),
  models: json.nullable(json.array(field.text()), { description: 'null: those of its family.' }),
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

const CHECKS = json.object({
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

export const installation: readonly Operation[] = [
  adminOperation({
    id: 'adminListProviders',
    method: 'GET',
    path: '/providers',
    summary: 'List providers and their health',
    description:
      'All of them on one page. Health is what the answering process has seen in five minutes, and its own breakers: each replica, and each of its workers, has others.',
    reply: json.object({ object: json.literal('list'), data: json.array(PROVIDER) }),
    run: async (call) => ({ object: 'list', data: call.installation.listProviders().map(providerJson) }),
  }),
  adminOperation({
    id: 'adminTestProvider',
    method: 'POST',
    path: '/providers/:id/test',
    summary: 'Ask a provider and say what is wrong',
    description:
      'By its name. A text provider gets one short call for each model, which costs a fraction of a cent; a video provider is asked for a task that does not exist.',
    reply: CHECKS,
    run: async (call) => checksJson(await call.installation.testProvider(call.id)),
  }),
  adminOperation({
    id: 'adminListSettings',
    method: 'GET',
    path: '/settings',
    summary: 'List the settings in force',
    description: 'Of the answering process. Secrets are hidden.',
    reply: json.object({ object: json.literal('list'), data: json.array(SETTING.schema) }),
    run: async (call) => ({
      object: 'list',
      data: call.installation.listSettings().map((row) => present(SETTING, row)),
    }),
  }),
  adminOperation({
    id: 'adminRunDoctor',
    method: 'POST',
    path: '/doctor',
    summary: 'Check everything that the gateway depends on',
    description: 'What `sluice doctor` says of the answering process. It changes nothing.',
    reply: CHECKS,
    run: async (call) => checksJson(await call.installation.runDoctor()),
  }),
]
