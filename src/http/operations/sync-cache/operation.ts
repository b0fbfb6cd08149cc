import type { QuotaSync } from '../../../app/limits/sync/invalidations.ts'
import { ADMIN_KEY_ACTOR } from '../../../domain/access/operator-account.ts'
import { ApiError, invalidParameter } from '../../../domain/api-error.ts'
import { EXACT, type JsonSchema, json, NOT_BLANK } from '../../../domain/json/json-schema.ts'
import { readMember } from '../../body/request-body.ts'
import { type Operation, operatorOperation } from '../../operation.ts'

/** Messages of the contract. */
const SYNC_FAILED = 'sync failed'
const SYNC_NOT_WIRED = 'quota service not wired'

interface SyncRow<Subject> extends Pick<Operation, 'id' | 'summary' | 'description'> {
  path: string
  param: string
  schema: JsonSchema
  badRequest: string
  parse(value: unknown): Subject
  /** `by` is the name of an operator with a token, for the audit row; the admin key has no name. */
  run(sync: QuotaSync, subject: Subject, by: string | undefined): Promise<void>
}

function syncOperation<Subject>(input: SyncRow<Subject>): Operation {
  const { id, param, schema, path, badRequest, parse, run, ...row } = input
  return operatorOperation(id, `POST /admin/quota/cache/sync/${path}`, {
    ...row,
    body: { schema: json.object({ [param]: schema }), limitBytes: 1024 * 1024 },
    replies: {
      200: {
        description: 'The cache agrees with the store.',
        schema: json.object({ ok: json.literal(true), [param]: schema }),
      },
      400: { description: badRequest },
      500: { description: `\`${SYNC_FAILED}\`: the store or the cache did not answer` },
      503: { description: `\`${SYNC_NOT_WIRED}\`, or the gateway is busy` },
    },
    async serve({ app: { quotaSync } }, { body, admin }) {
      const subject = parse(readMember(body, param))
      if (quotaSync === undefined) throw new ApiError('billing_unavailable', { message: SYNC_NOT_WIRED })
      try {
        await run(quotaSync, subject, admin?.actor === ADMIN_KEY_ACTOR ? undefined : admin?.actor)
      } catch (cause) {
        if (cause instanceof ApiError && cause.status < 500) throw cause
        throw new ApiError('internal_error', { message: SYNC_FAILED, cause })
      }
      return { ok: true, [param]: subject }
    },
  })
}

/** An id of another type, or without a visible character, counts as missing. */
function idOf(param: 'organization_id' | 'user_id', id: unknown): string {
  if (typeof id === 'string' && id.trim() !== '') return id
  throw new ApiError('missing_parameter', { message: `${param} is required`, param })
}

export const SYNC_OPERATIONS: readonly Operation[] = [
  syncOperation({
    id: 'syncOrganization',
    path: 'organization',
    summary: "Refresh an organization's quota cache",
    description:
      'Call it after you changed rows in the database directly: every replica then sees the change immediately. An organization that is no longer stored is removed from the cache.',
    param: 'organization_id',
    schema: json.string({
      description: 'The organization whose rows were changed.',
      pattern: NOT_BLANK,
      examples: ['org_1'],
    }),
    badRequest: '`organization_id is required`, or `body must be valid JSON`',
    parse: (id) => idOf('organization_id', id),
    run: (sync, id, by) => sync.organization(id, by),
  }),
  syncOperation({
    id: 'syncUser',
    path: 'user',
    summary: "Reload a user's daily limit",
    description:
      'If `enable_limit` of the user is false, only the cached limit of the user is updated. If a limit is in force, it is written to every daily bucket of the user, and missing buckets of today and tomorrow are made. A user who is no longer stored is removed with all buckets.',
    param: 'user_id',
    schema: json.string({
      description: 'The user whose row was changed.',
      pattern: NOT_BLANK,
      examples: ['usr_1'],
    }),
    badRequest:
      '`user_id is required`, `body must be valid JSON`, or `enable_limit=true requires max_daily_user_limit > 0`; nothing was changed',
    parse: (id) => idOf('user_id', id),
    run: (sync, id, by) => sync.user(id, by),
  }),
  syncOperation({
    id: 'syncModelPrice',
    path: 'model-price',
    summary: "Refresh a model's cached price",
    description:
      'Call it after you changed prices in the database directly: every replica then charges the new prices immediately. A model that is no longer stored is removed from the cache.',
    param: 'model_id',
    schema: json.integer({
      description: 'The `model_id` of the model table.',
      minimum: 1,
      maximum: EXACT.maximum,
    }),
    badRequest: '`model_id must be a positive integer`, or `body must be valid JSON`',
    parse(modelId) {
      if (typeof modelId === 'number' && Number.isSafeInteger(modelId) && modelId >= 1) return modelId
      throw invalidParameter('model_id', 'model_id must be a positive integer')
    },
    run: (sync, modelId, by) => sync.modelPrice(modelId, by),
  }),
]
