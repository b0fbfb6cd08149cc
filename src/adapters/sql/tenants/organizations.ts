import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Organization } from '../../../domain/access/organization.ts'
import { micros } from '../../../domain/billing/micros.ts'
import type { OrganizationFilter } from '../../../ports/page-query.ts'
import type { NewOrganization, OrganizationStore } from '../../../ports/tenants.ts'
import { insertAudit } from '../audit/audits.ts'
import { insertEntry } from '../ledger/insert-entries.ts'
import { pageOf } from '../page-of.ts'
import { page, read, type StatementsOf, write } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'
import { insertApiKey } from './api-keys.ts'
import { lockOrganization } from './lock-organization.ts'
import { insertUser } from './users.ts'

export const ORGANIZATIONS = {
  create: write(async (db, organization, audit) => {
    await insertOrganization(db, { organization, balanceMicros: 0 })
    await insertAudit(db, audit)
  }),

  list: read(async (db) => {
    const rows = await db
      .selectFrom('organizations')
      .select(ORGANIZATION_COLUMNS)
      .orderBy('created_at_ms')
      .orderBy('id')
      .execute()
    return rows.map(toOrganization)
  }),

  page: page(async (db, query) => {
    const { rows } = await pageOrganizationsQuery(query).execute(db)
    return rows.map(toOrganization)
  }),

  find: read(findOrganization),
  findWebhookSecrets: read(async (db, id) => {
    const row = await db
      .selectFrom('organizations')
      .select(['webhook_secret', 'previous_webhook_secret', 'previous_webhook_secret_until_ms'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (row === undefined) return undefined
    return {
      encryptedSecret: row.webhook_secret,
      encryptedPreviousSecret: row.previous_webhook_secret,
      previousUntilMs: row.previous_webhook_secret_until_ms,
    }
  }),

  rotateWebhookSecret: write(async (db, change, audit, traits) => {
    if (!(await lockOrganization(db, change.id, traits))) return false
    await db
      .updateTable('organizations')
      .set((row) => ({
        webhook_secret: change.encryptedSecret,
        previous_webhook_secret: row.ref('webhook_secret'),
        previous_webhook_secret_until_ms: change.previousUntilMs,
      }))
      .where('id', '=', change.id)
      .execute()
    await insertAudit(db, audit)
    return true
  }),

  /** Changes an organization. It can become prepaid only when its balance covers its holds. */
  update: write(async (db, change, audit, traits) => {
    if (!(await lockOrganization(db, change.id, traits))) return { kind: 'not-found' }
    const {
      id,
      name,
      billing,
      requestsPerMinute,
      eventsUrl,
      keepReplies,
      keepMedia,
      callbackRetries,
      recordBodies,
      lowBalanceMicros,
    } = change
    const row = await db
      .updateTable('organizations')
      .set({
        id,
        ...(name !== undefined && { name }),
        ...(billing !== undefined && { billing }),
        ...(requestsPerMinute !== undefined && { requests_per_minute: requestsPerMinute }),
        ...(eventsUrl !== undefined && { events_url: eventsUrl }),
        ...(keepReplies !== undefined && { keep_replies: keepReplies }),
        ...(callbackRetries !== undefined && { callback_retries: callbackRetries }),
        ...(recordBodies !== undefined && { record_bodies: recordBodies }),
        ...(keepMedia !== undefined && { keep_media: keepMedia }),
        ...(lowBalanceMicros !== undefined && {
          low_balance_micros: lowBalanceMicros,
          low_balance_told_at_ms: null,
        }),
      })
      .where('id', '=', id)
      .$if(billing === 'prepaid', (query) =>
        query.where((row) => row('balance_micros', '>=', row.ref('held_micros'))),
      )
      .returning(ORGANIZATION_COLUMNS)
      .executeTakeFirst()
    if (row === undefined) {
      const organization = await findOrganization(db, id)
      return organization === undefined ? { kind: 'not-found' } : { kind: 'owes', organization }
    }
    await insertAudit(db, audit)
    return { kind: 'updated', organization: toOrganization(row) }
  }),

  /** Checks before and after the lock, so that a start does not lock a store with organizations. */
  createFirst: write(async (db, first, audit, traits) => {
    if (await hasOrganization(db)) return false
    await traits.lockTable(db, 'organizations')
    if (await hasOrganization(db)) return false
    const { organization, user, apiKey, credit } = first
    await insertOrganization(db, { organization, balanceMicros: credit.amountMicros })
    await insertEntry(db, {
      id: credit.entryId,
      organizationId: credit.organizationId,
      kind: 'credit',
      amount: credit.amountMicros,
      loss: 0,
      holdId: null,
      note: credit.note,
      atMs: credit.atMs,
    })
    await insertUser(db, user)
    await insertApiKey(db, apiKey)
    await insertAudit(db, { ...audit, entryId: credit.entryId, amountMicros: credit.amountMicros })
    return true
  }),
} satisfies Partial<StatementsOf<OrganizationStore>>

/** Callers that pass a balance also insert the ledger entry for it. */
async function insertOrganization(
  db: Db,
  { organization, balanceMicros }: { organization: NewOrganization; balanceMicros: number },
): Promise<void> {
  await db
    .insertInto('organizations')
    .values({
      id: organization.id,
      name: organization.name,
      billing: organization.billing,
      balance_micros: balanceMicros,
      requests_per_minute: organization.requestsPerMinute,
      webhook_secret: organization.encryptedWebhookSecret,
      created_at_ms: organization.createdAtMs,
    })
    .execute()
}

async function hasOrganization(db: Db): Promise<boolean> {
  return (await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function findOrganization(db: Db, id: string): Promise<Organization | undefined> {
  const row = await db
    .selectFrom('organizations')
    .select(ORGANIZATION_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : toOrganization(row)
}

export function pageOrganizationsQuery(query: OrganizationFilter): RawBuilder<OrganizationRow> {
  const filters = [
    ...(query.search === undefined ? [] : [beginningWith(query.search)]),
    ...(query.ids === undefined ? [] : [sql`id in (${sql.join(query.ids)})`]),
  ]
  return sql<OrganizationRow>`
    select ${sql.join(ORGANIZATION_COLUMNS.map((name) => sql.ref(name)))}
    from organizations ${pageOf('organizations', query, filters)}`
}

/**
 * Condition: name or id begins with this text. A prefix is a range of an index, because both columns are
 * compared byte by byte. SQLite's `lower` folds only ASCII.
 */
function beginningWith(search: string): RawBuilder<unknown> {
  const folded = sql`lower(cast(${search} as text))`
  return sql`(
    folded_name >= ${folded} and folded_name < ${folded} || ${LAST_CHARACTER}
    or id >= ${search} and id < ${search + LAST_CHARACTER})`
}

const LAST_CHARACTER = '\u{10ffff}'

const ORGANIZATION_COLUMNS = [
  'id',
  'name',
  'billing',
  'balance_micros',
  'held_micros',
  'requests_per_minute',
  'created_at_ms',
  'disabled_at_ms',
  'events_url',
  'keep_replies',
  'callback_retries',
  'record_bodies',
  'keep_media',
  'low_balance_micros',
] as const

type OrganizationRow = Pick<Selectable<Tables['organizations']>, (typeof ORGANIZATION_COLUMNS)[number]>

function toOrganization(row: OrganizationRow): Organization {
  return {
    id: row.id,
    name: row.name,
    billing: row.billing,
    balanceMicros: micros(row.balance_micros),
    heldMicros: micros(row.held_micros),
    requestsPerMinute: row.requests_per_minute,
    createdAtMs: row.created_at_ms,
    disabledAtMs: row.disabled_at_ms,
    eventsUrl: row.events_url,
    keepReplies: row.keep_replies,
    callbackRetries: row.callback_retries,
    recordBodies: row.record_bodies,
    keepMedia: row.keep_media,
    lowBalanceMicros: row.low_balance_micros === null ? null : micros(row.low_balance_micros),
  }
}
