import { type RawBuilder, sql } from 'kysely'
import type { Organization } from '../../../domain/access/organization.ts'
import { micros } from '../../../domain/billing/micros.ts'
import type { OrganizationFilter } from '../../../ports/page-query.ts'
import type { NewOrganization, OrganizationStore } from '../../../ports/tenants.ts'
import { insertAudit } from '../audit/audits.ts'
import { columnsAs, type NamedRow } from '../columns-as.ts'
import { columnsOf } from '../columns-of.ts'
import { insertEntry } from '../ledger/insert-entries.ts'
import { pageOf } from '../page-of.ts'
import { page, read, type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { insertApiKey } from './api-keys.ts'
import { lockOrganization } from './lock-organization.ts'
import { insertUser } from './users.ts'

export const ORGANIZATIONS = {
  create: write(async (db, organization, audit) => {
    await insertOrganization(db, { organization, balanceMicros: 0 })
    await insertAudit(db, audit)
  }),

  list: read(async (db) => {
    const { rows } = await sql<OrganizationRow>`
      select ${COLUMNS} from organizations order by created_at_ms, organizations.id`.execute(db)
    return rows.map(toOrganization)
  }),

  page: page(async (db, query) => {
    const { rows } = await pageOrganizationsQuery(query).execute(db)
    return rows.map(toOrganization)
  }),

  find: read(findOrganization),
  findWebhookSecrets: read(async (db, id) => {
    const { rows } = await sql<NamedRow<typeof SECRETS>>`
      select ${SECRETS} from organizations where id = ${id}`.execute(db)
    return rows[0] && { ...rows[0] }
  }),

  rotateWebhookSecret: write(async (db, change, audit, traits) => {
    if (!(await lockOrganization(db, change.id, traits))) return false
    await sql`
      update organizations set webhook_secret = ${change.encryptedSecret}, previous_webhook_secret = webhook_secret,
        previous_webhook_secret_until_ms = ${change.previousUntilMs}
      where id = ${change.id}`.execute(db)
    await insertAudit(db, audit)
    return true
  }),

  /** Changes an organization. It can become prepaid only when its balance covers its holds. */
  update: write(async (db, change, audit, traits) => {
    if (!(await lockOrganization(db, change.id, traits))) return { kind: 'not-found' }
    const { id, name, billing, requestsPerMinute, eventsUrl, lowBalanceMicros } = change
    const { keepReplies, keepMedia, callbackRetries, recordBodies } = change
    // Kysely leaves out a column whose value is undefined.
    const { numUpdatedRows } = await db
      .updateTable('organizations')
      .set({
        ...columnsOf({ id, name, billing, requestsPerMinute, eventsUrl, lowBalanceMicros }),
        ...columnsOf({ keepReplies, keepMedia, callbackRetries, recordBodies }),
        low_balance_told_at_ms: lowBalanceMicros === undefined ? undefined : null,
      })
      .where('id', '=', id)
      .$if(billing === 'prepaid', (query) =>
        query.where((row) => row('balance_micros', '>=', row.ref('held_micros'))),
      )
      .executeTakeFirst()
    const organization = await findOrganization(db, id)
    if (organization === undefined) return { kind: 'not-found' }
    if (numUpdatedRows === 0n) return { kind: 'owes', organization }
    await insertAudit(db, audit)
    return { kind: 'updated', organization }
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
  const { id, name, billing, requestsPerMinute, encryptedWebhookSecret, createdAtMs } = organization
  await db
    .insertInto('organizations')
    .values({
      ...columnsOf({ id, name, billing, balanceMicros, requestsPerMinute, createdAtMs }),
      webhook_secret: encryptedWebhookSecret,
    })
    .execute()
}

async function hasOrganization(db: Db): Promise<boolean> {
  return (await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function findOrganization(db: Db, id: string): Promise<Organization | undefined> {
  const { rows } = await sql<OrganizationRow>`
    select ${COLUMNS} from organizations where id = ${id}`.execute(db)
  return rows[0] && toOrganization(rows[0])
}

export function pageOrganizationsQuery(query: OrganizationFilter): RawBuilder<OrganizationRow> {
  const filters = [
    ...(query.search === undefined ? [] : [beginningWith(query.search)]),
    ...(query.ids === undefined ? [] : [sql`id in (${sql.join(query.ids)})`]),
  ]
  return sql<OrganizationRow>`
    select ${COLUMNS} from organizations ${pageOf('organizations', query, filters)}`
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

const COLUMNS = columnsAs('organizations', [
  'id',
  'name',
  'billing',
  'balanceMicros',
  'heldMicros',
  'requestsPerMinute',
  'createdAtMs',
  'disabledAtMs',
  'eventsUrl',
  'keepReplies',
  'callbackRetries',
  'recordBodies',
  'keepMedia',
  'lowBalanceMicros',
])

const SECRETS = columnsAs('organizations', [], {
  encryptedSecret: 'webhook_secret',
  encryptedPreviousSecret: 'previous_webhook_secret',
  previousUntilMs: 'previous_webhook_secret_until_ms',
})

type OrganizationRow = NamedRow<typeof COLUMNS>

function toOrganization(row: OrganizationRow): Organization {
  return {
    ...row,
    balanceMicros: micros(row.balanceMicros),
    heldMicros: micros(row.heldMicros),
    lowBalanceMicros: row.lowBalanceMicros === null ? null : micros(row.lowBalanceMicros),
  }
}
