import { type Selectable, sql } from 'kysely'
import type { ApiKey } from '../../../domain/access/api-key.ts'
import { micros } from '../../../domain/billing/micros.ts'
import type { ApiKeyStore, NewApiKey } from '../../../ports/tenants.ts'
import { insertAudit } from '../audit/audits.ts'
import { pageOf } from '../page-of.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'
import { lockUser } from './lock-organization.ts'

export const API_KEYS = {
  create: write(async (db, apiKey, audit, traits) => {
    if ((await lockUser(db, apiKey.userId, traits)) !== apiKey.organizationId) return false
    await insertApiKey(db, apiKey)
    await insertAudit(db, audit)
    return true
  }),

  /** Lists keys, the oldest first, with revoked ones. */
  list: read(async (db, organizationId) => {
    const rows = await db
      .selectFrom('api_keys')
      .select(API_KEY_COLUMNS)
      .where('organization_id', '=', organizationId)
      .orderBy('created_at_ms')
      .orderBy('id')
      .execute()
    return rows.map(toApiKey)
  }),

  page: read(async (db, query) => {
    const { rows } = await sql<ApiKeyRow>`
      select ${sql.join(API_KEY_COLUMNS.map((name) => sql.ref(name)))}
      from api_keys ${pageOf('api_keys', query)}`.execute(db)
    return rows.map(toApiKey)
  }),

  /** Revokes a key. A key that was revoked before is only read, without an audit row. */
  revoke: write(async (db, change, audit) => {
    const revoked = await db
      .updateTable('api_keys')
      .set({ revoked_at_ms: change.revokedAtMs })
      .where('id', '=', change.id)
      .where('revoked_at_ms', 'is', null)
      .returning(RETURNED)
      .executeTakeFirst()
    if (revoked !== undefined) await insertAudit(db, { ...audit, organizationId: revoked.organization_id })
    const row = revoked ?? (await findKey(db, change.id))
    return row === undefined ? undefined : { ...toApiKey(row), digest: row.digest }
  }),

  find: read(async (db, id) => {
    const row = await findKey(db, id)
    return row && toApiKey(row)
  }),

  /** Rotates a key. A simultaneous second rotation waits, and never postpones the key's end. */
  rotate: write(async (db, rotation, audit) => {
    const { id, endsAtMs, successor } = rotation
    const ended = await db
      .updateTable('api_keys')
      .set({
        expires_at_ms: sql`case when expires_at_ms < ${endsAtMs} then expires_at_ms else ${endsAtMs} end`,
      })
      .where('id', '=', id)
      .where('revoked_at_ms', 'is', null)
      .returning(RETURNED)
      .executeTakeFirst()
    if (ended === undefined) return undefined
    await insertApiKey(db, successor)
    await insertAudit(db, audit)
    return { ...toApiKey(ended), digest: ended.digest }
  }),

  /** Joins the user, so that the keys of a user whose row was deleted by hand stop working. */
  findCaller: read(async (db, digest) => {
    const row = await db
      .selectFrom('api_keys')
      .innerJoin('users', 'users.id', 'api_keys.user_id')
      .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
      .select([
        'api_keys.id',
        'api_keys.organization_id',
        'api_keys.user_id',
        'api_keys.expires_at_ms',
        'api_keys.allowed_models',
        'api_keys.monthly_budget_micros',
        'api_keys.requests_per_minute as key_requests_per_minute',
        'organizations.requests_per_minute as organization_requests_per_minute',
        'organizations.keep_replies',
        'organizations.record_bodies',
        'organizations.disabled_at_ms as organization_disabled_at_ms',
        'users.disabled_at_ms as user_disabled_at_ms',
      ])
      .where('api_keys.digest', '=', digest)
      .where('api_keys.revoked_at_ms', 'is', null)
      .executeTakeFirst()
    if (row === undefined) return undefined
    return {
      keyId: row.id,
      organizationId: row.organization_id,
      userId: row.user_id,
      keyRequestsPerMinute: row.key_requests_per_minute,
      organizationRequestsPerMinute: row.organization_requests_per_minute,
      keepReplies: row.keep_replies,
      ...(row.record_bodies !== 'off' && { recordBodies: row.record_bodies }),
      allowedModels: row.allowed_models === null ? null : JSON.parse(row.allowed_models),
      hasBudget: row.monthly_budget_micros !== null,
      expiresAtMs: row.expires_at_ms,
      disabled:
        row.organization_disabled_at_ms !== null
          ? 'organization_disabled'
          : row.user_disabled_at_ms !== null
            ? 'user_disabled'
            : null,
    }
  }),
} satisfies Partial<StatementsOf<ApiKeyStore>>

const API_KEY_COLUMNS = [
  'id',
  'organization_id',
  'user_id',
  'name',
  'prefix',
  'requests_per_minute',
  'created_at_ms',
  'revoked_at_ms',
  'expires_at_ms',
  'allowed_models',
  'monthly_budget_micros',
] as const

export async function insertApiKey(db: Db, apiKey: NewApiKey): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({
      id: apiKey.id,
      organization_id: apiKey.organizationId,
      user_id: apiKey.userId,
      name: apiKey.name,
      prefix: apiKey.prefix,
      digest: apiKey.digest,
      requests_per_minute: apiKey.requestsPerMinute,
      created_at_ms: apiKey.createdAtMs,
      expires_at_ms: apiKey.expiresAtMs,
      allowed_models: apiKey.allowedModels === null ? null : JSON.stringify(apiKey.allowedModels),
      monthly_budget_micros: apiKey.monthlyBudgetMicros,
    })
    .execute()
}

const RETURNED = [...API_KEY_COLUMNS, 'digest'] as const

function findKey(db: Db, id: string) {
  return db.selectFrom('api_keys').select(RETURNED).where('id', '=', id).executeTakeFirst()
}

type ApiKeyRow = Pick<Selectable<Tables['api_keys']>, (typeof API_KEY_COLUMNS)[number]>

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    name: row.name,
    prefix: row.prefix,
    requestsPerMinute: row.requests_per_minute,
    createdAtMs: row.created_at_ms,
    revokedAtMs: row.revoked_at_ms,
    expiresAtMs: row.expires_at_ms,
    allowedModels: row.allowed_models === null ? null : JSON.parse(row.allowed_models),
    monthlyBudgetMicros: row.monthly_budget_micros === null ? null : micros(row.monthly_budget_micros),
  }
}
