import type { Operator } from '../../../app/operator.ts'
import {
  CHARGED_REQUEST,
  ENTRY,
  ENTRY_KINDS,
  HOLD,
  REFUND,
  tracedEntryJson,
} from '../../../app/views/ledger.ts'
import { modelJson, planJson } from '../../../app/views/models.ts'
import { present } from '../../../app/views/present.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { micros } from '../../../domain/billing/micros.ts'
import { PRICE_UNITS } from '../../../domain/catalog/price-row.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminList, adminOperation, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import type { Fields } from '../../schema/read-by-schema.ts'
import { field } from './fields.ts'

/** Limit of text requests that an entry of usage shows; others are found by their own ids. */
const REQUESTS_MAX = 100

const amount = (description: string) =>
  json.nullish(json.number({ minimum: 0, maximum: 1_000_000, description, examples: [2.5] }))

const PRICE = json.object({
  unit: json.oneOf(PRICE_UNITS),
  resolution: json.nullish(
    json.string({ maxLength: 20, pattern: '^\\d*[A-Za-z][\\w.:-]*$', description: 'Such as 1080p.' }),
  ),
  video_input: json.nullish(json.boolean()),
  audio: json.nullish(json.boolean()),
  usd: amount('Of a second or a call; at most six decimals.'),
  usd_per_million: amount('Of a million tokens.'),
  times: amount('Of a unit that multiplies other prices.'),
})

export const ledger: readonly Operation[] = [
  adminList({
    id: 'adminListLedger',
    path: '/ledger',
    summary: 'List ledger entries',
    query: {
      ...ORGANIZATION_FILTER,
      kind: { schema: json.oneOf(ENTRY_KINDS), description: 'Only entries of this kind.' },
      task_id: { schema: field.id('task'), description: 'Only the settlement and the refunds of this task.' },
      hold_id: { schema: field.id('hold'), description: 'The same, by the id of the hold.' },
      usage_id: {
        schema: field.id('req'),
        description: 'Only the charge and the refunds of this text request or usage row.',
      },
    },
    item: ENTRY.schema,
    page: (query, { operator, query: given }) =>
      operator.pages.entries({
        ...query,
        kind: given.oneOf('kind', ENTRY_KINDS),
        taskId: given.textOr('task_id', undefined),
        holdId: given.textOr('hold_id', undefined),
        usageId: given.textOr('usage_id', undefined),
      }),
    positionOf: ({ id }) => id,
    view: (row) => present(ENTRY, row),
  }),
  adminOperation({
    id: 'adminGetLedgerEntry',
    method: 'GET',
    path: '/ledger/:id',
    summary: 'Show a ledger entry with its hold, its task and its text requests',
    reply: json.object({
      ...ENTRY.members,
      usage_id: field.textOrNull(),
      hold: json.nullable(HOLD.schema),
      requests: json.array(CHARGED_REQUEST.schema, {
        description: `What it charges or refunds; the first ${REQUESTS_MAX}.`,
      }),
    }),
    async run({ operator, id }) {
      const entry = await operator.pages.findEntry({ id, requestsMax: REQUESTS_MAX })
      if (entry === undefined) throw new ApiError('not_found', { message: `There is no ledger entry ${id}.` })
      return tracedEntryJson(entry)
    },
  }),
  adminOperation({
    id: 'adminRefund',
    method: 'POST',
    path: '/ledger/refunds',
    summary: 'Give back a charge, or a part of it',
    description: 'Without an amount all that was not given back yet. Parts are together at most the charge.',
    body: json.object({
      task_id: field.id('task'),
      amount_micros: json.nullish(
        json.integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'At least 1.' }),
      ),
      note: field.note(),
    }),
    reply: REFUND.schema,
    errors: { 404: 'There is nothing to give back for it, or `admin endpoints disabled`.' },
    async run({ operator, body }) {
      const taskId = body.text('task_id')
      const refunded = await operator.refundTask({
        taskId,
        amountMicros: body.has('amount_micros') ? micros(body.number('amount_micros')) : undefined,
        note: body.text('note').trim(),
      })
      return present(REFUND, { ...refunded, taskId })
    },
  }),
  adminOperation({
    id: 'adminCheckLedger',
    method: 'POST',
    path: '/ledger/check',
    summary: 'Add everything up and say whether the invariants of the ledger hold',
    description:
      'What `sluice ledger check` says: of each invariant at most 100 violations. It changes nothing. After 30 seconds it begins no further invariant, and `unchecked_invariants` names those that are left; the command checks all of them.',
    reply: json.object({
      ok: json.boolean({ description: 'Every invariant was checked and holds.' }),
      violations: json.array(
        json.object({ invariant: field.count(), subject: field.text(), message: field.text() }),
      ),
      cut_invariants: json.array(field.count(), {
        description: 'Those that are broken more often than is shown.',
      }),
      unmeasured_charges: field.count(),
      unchecked_invariants: json.array(field.count(), {
        description: 'Those for which no time was left.',
      }),
    }),
    async run({ operator }) {
      const { violations, truncatedInvariants, unmeasuredCharges, uncheckedInvariants } =
        await operator.checkLedger()
      return {
        ok: violations.length + uncheckedInvariants.length === 0,
        violations: violations.map(({ invariant, subject, message }) => ({ invariant, subject, message })),
        cut_invariants: truncatedInvariants,
        unmeasured_charges: unmeasuredCharges,
        unchecked_invariants: uncheckedInvariants,
      }
    },
  }),
  adminList({
    id: 'adminListModels',
    path: '/models',
    summary: 'List models with their prices',
    cursor: json.string({ pattern: '^\\d{0,15}$' }),
    item: json.object({
      model_id: field.count(),
      name: field.text(),
      like: field.textOrNull(),
      endpoints: json.array(field.text()),
      max_output_tokens: field.countOrNull(),
      context_tokens: field.countOrNull(),
      long_context_tokens: field.countOrNull(),
      fallbacks: json.array(field.text()),
      fallback_price: field.textOrNull(),
      route: json.array(json.object({ model: field.text(), weight: field.count() })),
      route_by: field.textOrNull(),
      stand_ins: json.array(field.text()),
      prices: json.array(json.object({})),
      vendor_prices: json.array(json.object({}), {
        description: 'What the vendor charges, in the same form; empty where the catalog does not say.',
      }),
      example: json.nullable(json.object({ request: field.text(), cost_micros: field.micros() })),
      servable: json.boolean({ description: 'Whether `GET /v1/models` lists it.' }),
      reason: json.nullable(json.string({ description: 'Why it cannot be served; null: it can.' })),
    }),
    // The catalog is small and in memory.
    async page({ after, limit }, { operator, installation }) {
      const models = await operator.listModels()
      const named = new Map(models.map((model) => [model.name, model]))
      return models
        .toSorted((one, other) => one.modelId - other.modelId)
        .filter(({ modelId }) => modelId > Number(after ?? 0))
        .slice(0, limit)
        .map((model) => ({ model, reason: installation.whyUnservable(model, (name) => named.get(name)) }))
    },
    positionOf: ({ model }) => String(model.modelId),
    view: ({ model, reason = null }) => ({ ...modelJson(model), servable: reason === null, reason }),
  }),
  adminOperation({
    id: 'adminSetPrices',
    method: 'POST',
    path: '/models',
    role: 'owner',
    summary: 'Change the prices of a model',
    description:
      'All its prices are replaced, and every replica reads them at once; what is held already keeps its price. Other members of a model, and new models, come from a catalog file: `sluice apply`.',
    body: json.object({
      model_id: json.integer({ minimum: 1, maximum: 2_147_483_647, description: 'Of the catalog.' }),
      prices: json.array(PRICE, {
        ...{ minItems: 1, maxItems: 100, description: '1 to 100 rows.' },
        examples: [[{ unit: 'video_token', usd_per_million: 4.3 }]],
      }),
    }),
    reply: json.object({
      model_id: field.count(),
      name: field.text(),
      change: json.oneOf(['changed', 'unchanged']),
      differences: json.array(
        json.object({ what: field.text(), from: field.textOrNull(), to: field.textOrNull() }),
      ),
      warnings: json.array(field.text()),
    }),
    errors: { 404: 'There is no such model, or `admin endpoints disabled`.' },
    run: async ({ operator, body }) =>
      planJson(
        await operator.setPrices({
          modelId: body.number('model_id'),
          prices: body.objects('prices').map(wishOf),
        }),
      ),
  }),
]

function wishOf(row: Fields): Parameters<Operator['setPrices']>[0]['prices'][number] {
  const unit = row.oneOf('unit', PRICE_UNITS)
  if (unit === undefined) throw new TypeError('the schema asks for a unit')
  return {
    unit,
    resolution: row.textOr('resolution', null),
    videoInput: row.flagOr('video_input', null),
    audio: row.flagOr('audio', null),
    amounts: {
      usd: row.numberOr('usd', undefined),
      usd_per_million: row.numberOr('usd_per_million', undefined),
      times: row.numberOr('times', undefined),
    },
  }
}
