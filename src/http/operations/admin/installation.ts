import { checksJson, providerJson, settingJson } from '../../../app/views/installation.ts'
import { adminOperation } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { json } from '../../schema/json-schema.ts'
import { field } from './fields.ts'

const PROVIDER = json.object({
  name: field.text(),
  driver: field.text(),
  base_url: field.text(),
  organization_id: field.textOrNull(),
  models: json.nullable(json.array(field.text()), { description: 'null: those of its family.' }),
  health: json.object({
    breaker: json.oneOf(['closed', 'open', 'half-open']),
    keys_resting: json.integer({ description: 'Keys that the provider refused or limited a moment ago.' }),
    calls: json.integer({ description: 'Calls of the last five minutes.' }),
    errors: json.integer({ description: 'Those without an answer, or with a 5xx.' }),
    refusals: json.integer({ description: 'Those with a 4xx.' }),
    last_error: json.nullable(
      json.object({ at: field.time(), operation: field.text(), outcome: field.text() }),
    ),
  }),
})

const SETTING = json.object({
  name: field.text(),
  group: field.text(),
  value: field.textOrNull(),
  is_secret: json.boolean(),
  is_default: json.boolean(),
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
    description: 'All of them on one page. Health is what the answering process has seen in five minutes.',
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
    reply: json.object({ object: json.literal('list'), data: json.array(SETTING) }),
    run: async (call) => ({ object: 'list', data: call.installation.listSettings().map(settingJson) }),
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
