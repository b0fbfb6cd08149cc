import {
  CHECKS,
  checksJson,
  PRESET,
  PROVIDER_WITH_HEALTH,
  providerJson,
} from '../../../app/views/installation.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { type AdminCall, adminOperation } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { field } from './fields.ts'

const STATES = ['active', 'disabled'] as const

const STATE = () =>
  json.optional(
    json.oneOf(STATES, { description: '`disabled`: it takes no requests; open video tasks still end.' }),
  )

const KEYS_TEXT =
  'Keys go in as `api_key` or `api_keys`, are kept encrypted, and come back only as `key_hints`. Variables are not filled in.'

/** Members that affect neither a secret nor its destination. */
const FOR_OPERATORS: ReadonlySet<string> = new Set([
  'state',
  'models',
  'execution_expires_after',
  'execution_expires_min',
])

export const providers: readonly Operation[] = [
  adminOperation('adminListProviders', 'GET /providers', {
    summary: 'List providers and their health',
    description:
      'All of them on one page. Health is what the answering process has seen in five minutes, and its own breakers: each replica, and each of its workers, has others.',
    reply: json.object({ object: json.literal('list'), data: json.array(PROVIDER_WITH_HEALTH) }),
    run: async ({ operator, installation }) => ({
      object: 'list',
      data: (await operator.listProviders()).map((view) =>
        providerJson(view, installation.healthOf(view.name)),
      ),
    }),
  }),
  adminOperation('adminAddProvider', 'POST /providers', {
    role: 'owner',
    summary: 'Add a provider',
    description: `The other members are those of a provider in \`sluice.yaml\`, read by the same rules. Every replica uses it within 5 seconds. ${KEYS_TEXT}`,
    body: json.object(
      {
        name: json.string({
          maxLength: 100,
          description: "First part of its models' names.",
          examples: ['openai'],
        }),
        driver: json.string({ maxLength: 100, examples: ['text'] }),
        state: STATE(),
      },
      {
        examples: [
          {
            name: 'openai',
            driver: 'text',
            base_url: 'https://api.openai.com',
            api_key: 'sk-...',
            models: { 'gpt-5': 'responses' },
          },
        ],
      },
    ),
    reply: PROVIDER_WITH_HEALTH,
    errors: {
      409: '`provider_name_in_use`, `provider_from_file`, or a request with this `Idempotency-Key` is running or its answer was lost.',
    },
    async run(call) {
      const { name, state: _, ...members } = call.body.values
      return shown(
        call,
        await call.operator.addProvider({
          name: String(name),
          members,
          state: call.body.oneOf('state', STATES) ?? 'active',
        }),
      )
    },
  }),
  adminOperation('adminGetProvider', 'GET /providers/:id', {
    summary: 'Read a provider',
    reply: PROVIDER_WITH_HEALTH,
    run: async (call) => shown(call, await call.operator.showProvider(call.id)),
  }),
  adminOperation('adminUpdateProvider', 'PATCH /providers/:id', {
    summary: 'Change a provider',
    description: `Members that are given replace the old ones as a whole, null takes one away, and others stay. Calls that run end with the old settings, new ones use the new ones within 5 seconds. An operator may change ${[...FOR_OPERATORS].map((name) => `\`${name}\``).join(', ')}; the rest needs the role owner. ${KEYS_TEXT}`,
    body: json.object(
      { driver: json.optional(json.string({ maxLength: 100 })), state: STATE() },
      { examples: [{ state: 'disabled' }] },
    ),
    reply: PROVIDER_WITH_HEALTH,
    errors: { 409: '`provider_from_file`: it stands in `sluice.yaml`.' },
    async run(call) {
      const { state: _, ...members } = call.body.values
      if (Object.keys(members).some((name) => !FOR_OPERATORS.has(name))) call.require('owner')
      const state = call.body.oneOf('state', STATES)
      return shown(call, await call.operator.updateProvider({ name: call.id, members, state }))
    },
  }),
  adminOperation('adminRemoveProvider', 'DELETE /providers/:id', {
    role: 'owner',
    summary: 'Remove a provider with its keys',
    reply: PROVIDER_WITH_HEALTH,
    errors: {
      409: '`provider_in_use`: it has open video tasks, or assets to process or delete. `provider_from_file`.',
    },
    run: async (call) => shown(call, await call.operator.removeProvider(call.id)),
  }),
  adminOperation('adminTestProvider', 'POST /providers/:id/test', {
    summary: 'Ask a provider and say what is wrong',
    description:
      'A text provider gets one short call for each model, which costs a fraction of a cent; a video provider is asked for a task that does not exist.',
    reply: CHECKS,
    run: async (call) => checksJson(await call.installation.testProvider(call.id)),
  }),
  adminOperation('adminListVendorModels', 'GET /providers/:id/models', {
    summary: 'Ask a provider which models it has',
    description: 'At most 1,000, as the vendor lists them. A driver without such a call answers 400.',
    reply: json.object({
      object: json.literal('list'),
      data: json.array(
        json.object({
          id: json.string({ description: "The vendor's own id." }),
          name: json.nullable(field.text(), {
            description: 'Name under which the provider offers the model. null: it does not.',
          }),
        }),
      ),
    }),
    errors: { 400: 'The driver has no such call.', 502: '`upstream_error`: the vendor gave no list.' },
    run: async (call) => ({ object: 'list', data: await call.installation.listVendorModels(call.id) }),
  }),
  adminOperation('adminListPresets', 'GET /presets', {
    summary: 'List common vendors with their settings, models and prices',
    description: '`settings` with a `name` and an `api_key` is a body for `POST /admin/v1/providers`.',
    reply: json.object({ object: json.literal('list'), data: json.array(PRESET.schema) }),
    run: async ({ installation }) => ({
      object: 'list',
      data: installation.listPresets().map(PRESET.present),
    }),
  }),
]

function shown({ installation }: AdminCall, view: Parameters<typeof providerJson>[0]) {
  return providerJson(view, installation.healthOf(view.name))
}
