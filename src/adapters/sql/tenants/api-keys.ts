import { type RawBuilder, sql } from 'kysely'
import type { ApiKey } from '../../../domain/access/api-key.ts'
import { micros } from '../../../domain/billing/micros.ts'
import type { KeyFilter } from '../../../ports/page-query.ts'
import type { ApiKeyStore, NewApiKey } from '../../../ports/tenants.ts'
import { insertAudit } from '../audit/audits.ts'
import { columnsAs, type NamedRow } from '../columns-as.ts'
import { columnsOf } from '../columns-of.ts'
import { readPage } from '../page-of.ts'
import { page, read, type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { heldBy } from './key-budgets.ts'
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
    const { rows } = await sql<ApiKeyRow>`
      select ${COLUMNS} from api_keys where organization_id = ${organizationId}
      order by created_at_ms, api_keys.id`.execute(db)
    return rows.map(toApiKey)
  }),

  page: page(async (db, query: KeyFilter) => {
    const filters = query.search === undefined ? [] : [containing(query.search)]
    return (await readPage(db, 'api_keys', COLUMNS, query, filters)).map(toApiKey)
  }),

  /** Revokes a key. A key that was revoked before is only read, without an audit row. */
  revoke: write(async (db, change, audit) => {
    const { rows } = await sql<EndedKeyRow>`
      update api_keys set revoked_at_ms = ${change.revokedAtMs}
      where id = ${change.id} and revoked_at_ms is null returning ${COLUMNS}, digest`.execute(db)
    const [revoked] = rows
    if (revoked !== undefined) await insertAudit(db, { ...audit, organizationId: revoked.organizationId })
    const row = revoked ?? (await findKey(db, change.id))
    return row && toApiKey(row)
  }),

  find: read(async (db, id) => {
    const row = await findKey(db, id)
    if (row === undefined) return undefined
    const { digest, ...key } = row
    return toApiKey(key)
  }),

  /**
   * Rotates a key. A simultaneous second rotation waits, and cannot postpone the key's end. The lock of the user makes
   * an erasure wait, which then also revokes the successor. The successor gets a copy of the budget, and counts the
   * used and held amounts of the old key as used. Until the old key ends, each key may spend what is left.
   */
  rotate: write(async (db, rotation, audit, { lockRows }) => {
    const { id, endsAtMs, successor, month } = rotation
    await sql`select id from users where id = ${successor.userId} ${lockRows}`.execute(db)
    const { rows } = await sql<EndedKeyRow>`
      update api_keys set
        expires_at_ms = case when expires_at_ms < ${endsAtMs} then expires_at_ms else ${endsAtMs} end
      where id = ${id} and revoked_at_ms is null returning ${COLUMNS}, digest`.execute(db)
    const [ended] = rows
    if (ended === undefined) return undefined
    await insertApiKey(db, successor)
    await sql`
      update api_keys set monthly_budget_micros = old.budget, budget_month = old.month, budget_used_micros = old.used,
        carried_month = old.month, carried_micros = old.used
      from (
        select monthly_budget_micros as budget,
          (case when budget_month >= ${month} then budget_used_micros else 0 end) + ${heldBy(id)} as used,
          case when budget_month > ${month} then budget_month else cast(${month} as text) end as month
        from api_keys where id = ${id}
      ) as old where api_keys.id = ${successor.id}`.execute(db)
    await insertAudit(db, audit)
    return toApiKey(ended)
  }),

  /** Joins the user, so that the keys of a user whose row was deleted by hand stop working. */
  findCaller: read(async (db, digest) => {
    const row = await db
      .selectFrom('api_keys')
      .innerJoin('users', 'users.id', 'api_keys.user_id')
      .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
      .select([
        'api_keys.id as keyId',
        'api_keys.organization_id as organizationId',
        'api_keys.user_id as userId',
        'api_keys.expires_at_ms as expiresAtMs',
        'api_keys.allowed_models as allowedModels',
        'api_keys.monthly_budget_micros as budgetMicros',
        'api_keys.requests_per_minute as keyRequestsPerMinute',
        'organizations.requests_per_minute as organizationRequestsPerMinute',
        'organizations.keep_replies as keepReplies',
        'organizations.record_bodies as recordBodies',
        'organizations.disabled_at_ms as organizationDisabledAtMs',
        'users.disabled_at_ms as userDisabledAtMs',
      ])
      .where('api_keys.digest', '=', digest)
      .where('api_keys.revoked_at_ms', 'is', null)
      .executeTakeFirst()
    if (row === undefined) return undefined
    const { recordBodies, allowedModels, budgetMicros, ...rest } = row
    const { organizationDisabledAtMs, userDisabledAtMs, ...caller } = rest
    const disabledUser = userDisabledAtMs === null ? null : 'user_disabled'
    return {
      ...caller,
      ...(recordBodies !== 'off' && { recordBodies }),
      allowedModels: allowedModels === null ? null : JSON.parse(allowedModels),
      hasBudget: budgetMicros !== null,
      disabled: organizationDisabledAtMs === null ? disabledUser : 'organization_disabled',
    }
  }),
} satisfies Partial<StatementsOf<ApiKeyStore>>

function containing(search: string): RawBuilder<unknown> {
  const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  const isLike = sql`like lower(cast(${pattern} as text)) escape '\\'`
  return sql`(lower(api_keys.name) ${isLike} or lower(api_keys.prefix) ${isLike})`
}

const COLUMNS = columnsAs('api_keys', [
  'id',
  'organizationId',
  'userId',
  'name',
  'prefix',
  'requestsPerMinute',
  'createdAtMs',
  'revokedAtMs',
  'expiresAtMs',
  'allowedModels',
  'monthlyBudgetMicros',
])

type ApiKeyRow = NamedRow<typeof COLUMNS>
type EndedKeyRow = ApiKeyRow & { digest: string }

export async function insertApiKey(db: Db, apiKey: NewApiKey): Promise<void> {
  const { id, organizationId, userId, name, prefix, digest, allowedModels } = apiKey
  const { requestsPerMinute, createdAtMs, expiresAtMs, monthlyBudgetMicros } = apiKey
  await db
    .insertInto('api_keys')
    .values({
      ...columnsOf({ id, organizationId, userId, name, prefix, digest }),
      ...columnsOf({ requestsPerMinute, createdAtMs, expiresAtMs, monthlyBudgetMicros }),
      allowed_models: allowedModels === null ? null : JSON.stringify(allowedModels),
    })
    .execute()
}

async function findKey(db: Db, id: string): Promise<EndedKeyRow | undefined> {
  const { rows } = await sql<EndedKeyRow>`select ${COLUMNS}, digest from api_keys where id = ${id}`.execute(
    db,
  )
  return rows[0]
}

/** A row that also has the digest keeps it. */
function toApiKey<Row extends ApiKeyRow>(row: Row): Omit<Row, keyof ApiKey> & ApiKey {
  const { allowedModels, monthlyBudgetMicros } = row
  return {
    ...row,
    allowedModels: allowedModels === null ? null : JSON.parse(allowedModels),
    monthlyBudgetMicros: monthlyBudgetMicros === null ? null : micros(monthlyBudgetMicros),
  }
}
