import type { Kysely } from 'kysely'
import type { NewAudit } from '../../../ports/audit.ts'
import type { FirstTenant } from '../../../ports/tenants.ts'
import { insertApiKey } from '../api-keys/create-api-key.ts'
import { insertAudit } from '../audit/insert-audit.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { insertEntry } from '../ledger/insert-entries.ts'
import type { Tables } from '../tables.ts'
import { insertUser } from '../users/create-user.ts'
import { insertOrganization } from './create-organization.ts'

/** Looks twice, so that a store that has organizations already is not locked at every start. */
export async function createFirst(
  db: Kysely<Tables>,
  { first, audit }: { first: FirstTenant; audit: NewAudit },
  traits: EngineTraits,
): Promise<boolean> {
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
}

async function hasOrganization(db: Kysely<Tables>): Promise<boolean> {
  return (await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst()) !== undefined
}
