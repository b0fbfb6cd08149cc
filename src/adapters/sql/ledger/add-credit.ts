import type { Kysely } from 'kysely'
import type { Organization } from '../../../domain/access/organization.ts'
import type { NewAudit } from '../../../ports/audit.ts'
import type { NewCredit } from '../../../ports/ledger.ts'
import { insertAudit } from '../audit/insert-audit.ts'
import { ORGANIZATION_COLUMNS, toOrganization } from '../organizations/to-organization.ts'
import type { Tables } from '../tables.ts'
import { insertEntry } from './insert-entries.ts'

export async function addCredit(
  db: Kysely<Tables>,
  { credit, audit }: { credit: NewCredit; audit: NewAudit },
): Promise<Organization | undefined> {
  const row = await db
    .updateTable('organizations')
    .set((organization) => ({
      balance_micros: organization('balance_micros', '+', credit.amountMicros),
    }))
    .where('id', '=', credit.organizationId)
    .returning(ORGANIZATION_COLUMNS)
    .executeTakeFirst()
  if (row === undefined) return undefined
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
  await insertAudit(db, audit)
  return toOrganization(row)
}
