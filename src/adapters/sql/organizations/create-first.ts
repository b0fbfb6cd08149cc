import type { Kysely } from 'kysely'
import type { NewApiKey, NewOrganization, NewUser } from '../../../ports/tenants.ts'
import { insertApiKey } from '../api-keys/create-api-key.ts'
import type { EngineTraits } from '../engine-traits.ts'
import type { Tables } from '../tables.ts'
import { insertUser } from '../users/create-user.ts'
import { createOrganization } from './create-organization.ts'

/** Looks twice, so that a store that has organizations already is not locked at every start. */
export async function createFirst(
  db: Kysely<Tables>,
  first: { organization: NewOrganization; user: NewUser; apiKey: NewApiKey },
  traits: EngineTraits,
): Promise<boolean> {
  if (await hasOrganization(db)) return false
  await traits.lockTable(db, 'organizations')
  if (await hasOrganization(db)) return false
  await createOrganization(db, first.organization)
  await insertUser(db, first.user)
  await insertApiKey(db, first.apiKey)
  return true
}

async function hasOrganization(db: Kysely<Tables>): Promise<boolean> {
  return (await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst()) !== undefined
}
