import type { Operator } from '../../../app/operator.ts'
import { ALIAS, aliasesOf, modelJson, PLAN } from '../../../app/views/models.ts'
import { answer } from '../../../app/views/present.ts'
import { ApiError, invalidParameter } from '../../../domain/api-error.ts'
import { ALIAS_LENGTH_MAX, ALIAS_PATTERN, type ModelAlias } from '../../../domain/catalog/alias.ts'
import { WATERMARKS } from '../../../domain/catalog/model.ts'
import { MODEL_ENDPOINTS } from '../../../domain/catalog/model-endpoints.ts'
import { PRICE_UNITS } from '../../../domain/catalog/price-row.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminAnswer, adminList, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import type { Fields } from '../../schema/read-by-schema.ts'
import { field } from './fields.ts'

const amount = (description: string) =>
  json.nullish(json.number({ minimum: 0, maximum: 1_000_000, description, examples: [2.5] }))

const PRICE = json.object({
  unit: json.oneOf(PRICE_UNITS),
  resolution: json.nullish(
    json.string({
      maxLength: 20,
      pattern: '^\\d*[A-Za-z][\\w.:-]*$',
      description: 'A resolution, such as 1080p.',
    }),
  ),
  video_input: json.nullish(json.boolean()),
  audio: json.nullish(json.boolean()),
  usd: amount('US dollars for a second or a call; at most six decimals.'),
  usd_per_million: amount('US dollars for a million tokens.'),
  times: amount('Factor of a unit that multiplies other prices.'),
})

const EXAMPLE_PRICES = [
  { unit: 'input_token', usd_per_million: 1.25 },
  { unit: 'output_token', usd_per_million: 10 },
]

const MODEL_MEMBERS = {
  prices: json.nullish(
    json.array(PRICE, {
      ...{ minItems: 1, maxItems: 100, description: '1 to 100 rows, which replace all prices.' },
      examples: [[{ unit: 'input_token', usd_per_million: 1.25 }]],
    }),
  ),
  prices_from: json.nullish(
    json.string({
      description:
        'Time from which `prices` apply, ISO 8601 in UTC; until then the old ones do. A model has at most one planned change; planning the current prices removes it. Left out: immediately.',
      examples: ['2026-12-01T00:00:00Z'],
    }),
  ),
  published: json.nullish(json.boolean({ description: 'With `false` clients get 404 for the model.' })),
  endpoints: json.nullish(json.array(json.oneOf(MODEL_ENDPOINTS))),
  max_output_tokens: json.nullish(json.integer({ minimum: 1, maximum: 1_000_000_000 })),
  context_tokens: json.nullish(json.integer({ minimum: 1, maximum: 1_000_000_000 })),
  bounds: json.nullish(
    json.object({}, { description: 'Values that orders of a video model may have, as in a catalog file.' }),
  ),
  watermark: json.nullish(json.oneOf(WATERMARKS)),
}

const REMOVED = answer({ model_id: field.count(), name: field.text() })
const REMOVED_ALIAS = answer(ALIAS.members)
const SET_ALIAS = answer({
  ...ALIAS.members,
  was: json.nullable(json.string({ description: 'The model before the change; null: it is new.' })),
})

/** The models and their aliases. Only owners may change them, because changes affect what customers pay. */
export const models: readonly Operation[] = [
  adminList('adminListModels', '/models', {
    summary: 'List models with their prices',
    query: {
      search: { schema: field.word(), description: 'Only those with this text in their name, in any case.' },
    },
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
      bounds: json.nullable(
        json.object({}, { description: 'Bounds of a video model, as in a catalog file.' }),
      ),
      watermark: field.textOrNull(),
      published: json.boolean({ description: 'Whether clients see the model.' }),
      prices: json.array(json.object({})),
      next_prices: json.nullable(json.object({ from: field.text(), prices: json.array(json.object({})) }), {
        description: 'Prices that are planned, and from when they apply.',
      }),
      vendor_prices: json.array(json.object({}), {
        description: 'The prices of the vendor, in the same form. Empty when the catalog has none.',
      }),
      prices_taken: json.nullable(field.text(), { description: "Day of the vendor's prices." }),
      example: json.nullable(json.object({ request: field.text(), cost_micros: field.micros() })),
      aliases: json.array(
        json.object({ alias: ALIAS.members.alias, organization_id: ALIAS.members.organization_id }),
      ),
      servable: json.boolean({ description: 'Whether `GET /v1/models` lists it.' }),
      reason: json.nullable(
        json.string({ description: 'The reason why the model cannot be served; null: it can.' }),
      ),
    }),
    // The catalog is small, so all of it is read.
    async page({ after, limit }, { operator, installation, query }) {
      const models = await operator.listModels()
      const aliases = await operator.listAliases()
      const named = new Map(models.map((model) => [model.name, model]))
      const search = query.textOr('search', '').trim().toLowerCase()
      return models
        .toSorted((one, other) => one.modelId - other.modelId)
        .filter(({ modelId, name }) => modelId > Number(after ?? 0) && name.toLowerCase().includes(search))
        .slice(0, limit)
        .map((model) => ({
          model,
          aliases: aliasesOf(model, aliases),
          reason: installation.whyUnservable(model, (name) => named.get(name)),
        }))
    },
    positionOf: ({ model }) => String(model.modelId),
    view: ({ model, aliases, reason = null }) => ({
      ...modelJson(model),
      ...{ aliases, servable: reason === null, reason },
    }),
  }),
  adminAnswer('adminAddModel', 'POST /models', PLAN, {
    role: 'owner',
    summary: 'Add a model, or change the prices of one',
    description:
      'With `name`: adds a model with the members of a catalog file; the store gives its `model_id`, and clients see it within 5 seconds unless `published` is false. With `model_id` and `prices` only: replaces the prices of that model (deprecated, use PATCH).',
    body: json.object(
      {
        name: json.nullish(
          json.string({
            maxLength: 200,
            description: '`<provider>/<model_name>`',
            examples: ['openai/gpt-5'],
          }),
        ),
        model_id: json.nullish(
          json.integer({ minimum: 1, maximum: 2_147_483_647, description: 'The `model_id` of the catalog.' }),
        ),
        ...MODEL_MEMBERS,
      },
      { examples: [{ name: 'openai/gpt-5', prices: EXAMPLE_PRICES }] },
    ),
    errors: { 404: 'There is no such model, or `admin endpoints disabled`.' },
    async run({ operator, body }) {
      if (body.has('name')) return operator.addModel(JSON.stringify(body.values))
      for (const member of ['model_id', 'prices'])
        if (!body.has(member))
          throw new ApiError('missing_parameter', {
            ...{ param: member, message: `${member} is required, or name for a new model.` },
          })
      if (body.has('prices_from'))
        throw invalidParameter('prices_from', 'prices_from is for PATCH, or for a model that name adds.')
      const prices = body.objects('prices').map(priceIn)
      return operator.setPrices({ modelId: body.number('model_id'), prices })
    },
  }),
  adminAnswer('adminUpdateModel', 'PATCH /models/:name', PLAN, {
    role: 'owner',
    summary: 'Change, publish or unpublish a model',
    description:
      'The body has members of a catalog row. Each replaces the whole stored member; members that are left out stay. Every replica has the change within 5 seconds, and a request that runs keeps its price. Clients get 404 for an unpublished model. The slash in the name is encoded as `%2F`.',
    body: json.object(MODEL_MEMBERS, { examples: [{ prices: EXAMPLE_PRICES, published: true }] }),
    run: ({ operator, id, body }) => operator.updateModel(id, JSON.stringify(body.values)),
  }),
  adminAnswer('adminRemoveModel', 'DELETE /models/:name', REMOVED, {
    role: 'owner',
    summary: 'Remove a model that was added',
    description:
      'The call is refused while another model, an alias or an open video task needs the model. Usage, receipts and the ledger keep its name.',
    errors: { 400: 'It is built in, or something needs it.' },
    run: ({ operator, id }) => operator.removeModel(id),
  }),
  adminList('adminListAliases', '/aliases', {
    summary: 'List the aliases of models',
    query: ORGANIZATION_FILTER,
    cursor: json.string({ maxLength: 300, pattern: '^[^\\p{Cc}]*$' }),
    item: ALIAS.schema,
    // There are few aliases, so all of them are read.
    async page({ after = '', limit, organizationId }, { operator }) {
      return (await operator.listAliases())
        .filter((row) => organizationId === undefined || row.organizationId === organizationId)
        .filter((row) => positionOf(row) > after)
        .slice(0, limit)
    },
    positionOf,
    view: ALIAS.present,
  }),
  adminAnswer('adminSetAlias', 'POST /aliases', SET_ALIAS, {
    role: 'owner',
    summary: 'Give a model another name, or point an alias to another model',
    description:
      'A request by an alias is served, priced, limited and logged as one for its model; its reply names the alias. An alias of an organization wins over the same alias for all. Every replica knows it within 5 seconds.',
    body: json.object({
      alias: json.string({
        ...{ maxLength: ALIAS_LENGTH_MAX, pattern: ALIAS_PATTERN, examples: ['gpt-5'] },
        description: `At most ${ALIAS_LENGTH_MAX} letters, digits and \`_.:@/-\`; not the name of a model.`,
      }),
      model: json.string({
        ...{ maxLength: 200, description: 'A model of the catalog, not another alias.' },
        examples: ['vendorC/model-4.1'],
      }),
      organization_id: json.nullish(field.id('org')),
    }),
    errors: { 404: 'There is no such model or organization, or `admin endpoints disabled`.' },
    run: ({ operator, body }) =>
      operator.setAlias({
        alias: body.text('alias'),
        model: body.text('model'),
        organizationId: body.textOr('organization_id', null),
      }),
  }),
  adminAnswer('adminRemoveAlias', 'DELETE /aliases/:alias', REMOVED_ALIAS, {
    role: 'owner',
    summary: 'Remove an alias',
    description:
      'Clients get 404 for it within 5 seconds, unless an alias of all organizations has the same name. A slash in it is encoded as `%2F`.',
    query: {
      organization_id: {
        schema: field.id('org'),
        description: 'The alias of this organization; left out: that of all.',
      },
    },
    run: ({ operator, id, query }) =>
      operator.removeAlias({ alias: id, organizationId: query.textOr('organization_id', null) }),
  }),
]

/** Returns the cursor after an alias. It begins with the alias, because the store sorts by it. */
function positionOf({ alias, organizationId }: ModelAlias): string {
  return `${alias} ${organizationId ?? ''}`
}

function priceIn(row: Fields): Parameters<Operator['setPrices']>[0]['prices'][number] {
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
