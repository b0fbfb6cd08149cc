import { erasedJson, filesJson } from '../../../app/views/erasures.ts'
import { BILLINGS, BUDGET, CREDIT, ORGANIZATION } from '../../../app/views/tenants.ts'
import { KEEP_MEDIA, KEEP_REPLIES, RECORD_BODIES } from '../../../domain/access/organization.ts'
import { invalidParameter } from '../../../domain/api-error.ts'
import { micros } from '../../../domain/billing/micros.ts'
import { CALLBACK_RETRIES } from '../../../domain/callbacks/callback-retry.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminAnswer, adminOperation, adminRows } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { ERASED, FILES } from './assets.ts'
import { field } from './fields.ts'

/** Limit of one credit: more than any payment, and exact in every engine. */
const CREDIT_MICROS_MAX = 1_000_000_000_000_000

const WARN_PERCENT = 80

export const organizations: readonly Operation[] = [
  adminRows('adminListOrganizations', '/organizations', ORGANIZATION, {
    isDated: true,
    summary: 'List organizations',
    query: {
      search: {
        schema: field.word(),
        description: 'Only organizations whose name (in any case) or id begins with this text.',
      },
      ids: {
        schema: json.string({
          pattern: '^[\\w-]{1,64}(?:,[\\w-]{1,64}){0,99}$',
          description: '1 to 100 ids with commas between them.',
          examples: ['org_019a2b3c,org_019a2b3d'],
        }),
        description: 'Only organizations with these ids.',
      },
    },
    page: (query, { operator, query: given }) =>
      operator.pages.organizations({
        ...query,
        search: given.textOr('search', '').trim() || undefined,
        ids: given.textOr('ids', undefined)?.split(','),
      }),
  }),
  adminOperation('adminCreateOrganization', 'POST /organizations', {
    summary: 'Make an organization',
    body: json.object({
      name: field.name(),
      billing: json.oneOf(BILLINGS),
      requests_per_minute: json.nullish(field.requestsPerMinute()),
    }),
    reply: json.object({ ...ORGANIZATION.members, webhook_secret: field.text() }),
    async run({ operator, body }) {
      const { organization, webhookSecret } = await operator.createOrganization({
        name: body.text('name').trim(),
        billing: body.oneOf('billing', BILLINGS) ?? 'postpaid',
        requestsPerMinute: body.numberOr('requests_per_minute', null),
      })
      return { ...ORGANIZATION.present(organization), webhook_secret: webhookSecret }
    },
  }),
  adminAnswer('adminGetOrganization', 'GET /organizations/:id', ORGANIZATION, {
    summary: 'Show an organization',
    run: ({ operator, id }) => operator.showOrganization(id),
  }),
  adminAnswer('adminUpdateOrganization', 'POST /organizations/:id', ORGANIZATION, {
    summary: 'Change an organization',
    description:
      'Members that are left out stay as they are. An organization can become prepaid only while its balance covers what is held.',
    body: json.object({
      name: json.optional(field.name()),
      billing: json.optional(json.oneOf(BILLINGS)),
      requests_per_minute: json.nullish(field.requestsPerMinute()),
      events_url: json.nullish(
        json.string({
          maxLength: 2048,
          pattern: '^https://[^\\s\\p{Cc}]+$',
          description:
            'An HTTPS address that gets the events of the organization (`docs/events.md`), signed like a callback. null: none.',
          examples: ['https://client.example/events'],
        }),
      ),
      low_balance_micros: json.nullish({
        ...field.budget(),
        description: 'Balance below which the event `balance.low` is sent. null: it is not sent.',
      }),
      keep_media: json.optional(
        json.oneOf(KEEP_MEDIA, {
          description: 'Whether finished videos are copied, where `MEDIA_STORE` is set.',
        }),
      ),
      record_bodies: json.optional(
        json.oneOf(RECORD_BODIES, {
          description:
            'Requests whose bodies are recorded, encrypted and for `BODIES_KEPT_HOURS`: none, those that failed, or all.',
        }),
      ),
      callback_retries: json.optional(
        json.oneOf(CALLBACK_RETRIES, {
          description:
            'How often callbacks of videos that end from now on are tried: `default`: three times. `extended`: for 24 hours, and also after 408, 425 and 429.',
        }),
      ),
      keep_replies: json.nullish(
        json.oneOf(KEEP_REPLIES, {
          description:
            'Which replies of `POST /v1/responses` are kept: `default` all but those to `store: false`, `asked` those to `store: true`. null: as `REPLIES_KEPT_BY_DEFAULT` says.',
        }),
      ),
    }),
    run: ({ operator, id, body }) =>
      operator.updateOrganization({
        id,
        name: body.has('name') ? body.text('name').trim() : undefined,
        billing: body.oneOf('billing', BILLINGS),
        requestsPerMinute:
          'requests_per_minute' in body.values ? body.numberOr('requests_per_minute', null) : undefined,
        eventsUrl: 'events_url' in body.values ? body.textOr('events_url', null) : undefined,
        keepReplies:
          'keep_replies' in body.values ? (body.oneOf('keep_replies', KEEP_REPLIES) ?? null) : undefined,
        callbackRetries: body.oneOf('callback_retries', CALLBACK_RETRIES),
        recordBodies: body.oneOf('record_bodies', RECORD_BODIES),
        keepMedia: body.oneOf('keep_media', KEEP_MEDIA),
        lowBalanceMicros:
          'low_balance_micros' in body.values ? body.microsOr('low_balance_micros', null) : undefined,
      }),
  }),
  adminAnswer('adminDisableOrganization', 'POST /organizations/:id/disable', ORGANIZATION, {
    summary: 'Disable an organization',
    description: 'Within 5 seconds its keys get 403 `organization_disabled`, and its running streams end.',
    run: ({ operator, id }) => operator.disableOrganization(id),
  }),
  adminAnswer('adminEnableOrganization', 'POST /organizations/:id/enable', ORGANIZATION, {
    summary: 'Enable an organization again',
    run: ({ operator, id }) => operator.enableOrganization(id),
  }),
  adminOperation('adminEraseOrganization', 'DELETE /organizations/:id', {
    role: 'owner',
    summary: 'Erase an organization',
    description: 'Names, assets, people and kept replies are gone and keys are revoked; the ledger stays.',
    reply: json.object({
      id: field.text(),
      erased: json.literal(true),
      groups: json.array(ERASED),
      files: FILES,
    }),
    async run({ operator, id }) {
      const { groups, files } = await operator.eraseOrganization(id)
      return { id, erased: true, groups: groups.map(erasedJson), files: filesJson(files) }
    },
  }),
  adminAnswer('adminGetBudget', 'GET /organizations/:id/budget', BUDGET, {
    summary: "Show an organization's monthly budget and what is used of it",
    run: ({ operator, id }) => operator.showBudget(id),
  }),
  adminAnswer('adminSetBudget', 'POST /organizations/:id/budget', BUDGET, {
    summary: 'Set what an organization may spend in a calendar month',
    description:
      'Beyond the budget clients get 429 `budget_exceeded`. Held money counts as used, and refunds lower what is used. null: no budget.',
    body: json.object({
      monthly_budget_micros: json.nullable(field.budget()),
      warn_at_percent: json.nullish(
        json.integer({ minimum: 1, maximum: 100, description: 'The default is 80.' }),
      ),
    }),
    async run({ operator, id, body }) {
      const monthlyBudgetMicros = body.microsOr('monthly_budget_micros', null)
      const warnPercent = monthlyBudgetMicros === null ? null : body.numberOr('warn_at_percent', WARN_PERCENT)
      return operator.setBudget({ id, monthlyBudgetMicros, warnPercent })
    },
  }),
  adminOperation('adminRotateWebhookSecret', 'POST /organizations/:id/secret', {
    summary: 'Make a new webhook secret',
    description: 'Callbacks are signed with the old one too for 24 hours.',
    reply: json.object({ organization_id: field.text(), webhook_secret: field.text() }),
    run: async ({ operator, id }) => ({
      organization_id: id,
      webhook_secret: await operator.rotateWebhookSecret(id),
    }),
  }),
  adminRows('adminListCredit', '/credit', CREDIT, {
    isDated: true,
    summary: 'List the balances of organizations',
    page: (query, { operator }) => operator.pages.organizations(query),
  }),
  adminAnswer('adminGetCredit', 'GET /credit/:id', CREDIT, {
    summary: "Show an organization's balance",
    run: ({ operator, id }) => operator.showCredit(id),
  }),
  adminAnswer('adminAddCredit', 'POST /credit', CREDIT, {
    summary: 'Add what was paid in, or take credit back',
    description: 'A negative amount takes credit back: it needs a note and the role owner.',
    body: json.object({
      organization_id: field.id('org'),
      amount_micros: json.integer({
        minimum: -CREDIT_MICROS_MAX,
        maximum: CREDIT_MICROS_MAX,
        description: 'Millionths of a US dollar, not 0.',
        examples: [25_000_000],
      }),
      note: json.nullish(field.note()),
    }),
    errors: { 404: 'There is no such organization, or `admin endpoints disabled`.' },
    run: async ({ operator, body, require }) => {
      const amountMicros = micros(body.number('amount_micros'))
      if (amountMicros < 0) require('owner')
      if (amountMicros === 0) throw invalidParameter('amount_micros', 'amount_micros must not be 0.')
      const organizationId = body.text('organization_id')
      return operator.addCredit({
        organizationId,
        amountMicros,
        note: body.textOr('note', null)?.trim() ?? null,
      })
    },
  }),
]
