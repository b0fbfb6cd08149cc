import { type RawBuilder, sql } from 'kysely'
import { ApiError } from '../../../domain/api-error.ts'
import type { LedgerStore, NewCredit } from '../../../ports/ledger.ts'
import { insertAudit } from '../audit/audits.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { lockOrganization } from '../tenants/lock-organization.ts'
import { findOrganization } from '../tenants/organizations.ts'
import { insertNewEntry } from './insert-entries.ts'

export const ADD_CREDIT = {
  /** Adds a credit, idempotent by the entry id: a caller whose response was lost can repeat it. */
  addCredit: write(async (db, credit, audit, traits) => {
    const { organizationId: id, amountMicros } = credit
    // A negative credit is allowed for an erased organization, whose balance can be paid out.
    const exists =
      amountMicros < 0
        ? (await findOrganization(db, id)) !== undefined
        : await lockOrganization(db, id, traits)
    if (!exists) return undefined
    const isRepeat = !(await insertCredit(db, credit))
    if (isRepeat) await refuseOtherEntry(db, credit)
    else {
      const { numAffectedRows } = await sql`
        update organizations set balance_micros = balance_micros + ${amountMicros} ${clearTold(amountMicros)}
        where id = ${id} and balance_micros between ${Number.MIN_SAFE_INTEGER - Math.min(0, amountMicros)}
          and ${Number.MAX_SAFE_INTEGER - Math.max(0, amountMicros)}
          and (billing = 'postpaid' or cast(${amountMicros} as bigint) >= 0
            or balance_micros - held_micros >= ${-amountMicros})`.execute(db)
      if (numAffectedRows !== 1n)
        throw amountMicros < 0 ? await insufficientBalance(db, id) : balanceOverflow(id)
      await insertAudit(db, { ...audit, entryId: credit.entryId, amountMicros })
    }
    const organization = await findOrganization(db, id)
    return organization === undefined ? undefined : { ...organization, isRepeat }
  }),
} satisfies Partial<StatementsOf<LedgerStore>>

/** Lets the events of a low and an empty balance happen again after a credit. */
function clearTold(amountMicros: number): RawBuilder<unknown> {
  if (amountMicros <= 0) return sql``
  return sql`, empty_balance_told_at_ms = null, low_balance_told_at_ms = case
    when balance_micros + ${amountMicros} >= low_balance_micros then null else low_balance_told_at_ms end`
}

function insertCredit(db: Db, { entryId, organizationId, amountMicros, note, atMs }: NewCredit) {
  const entry = { id: entryId, organizationId, amount: amountMicros, loss: 0, holdId: null, note, atMs }
  return insertNewEntry(db, { ...entry, kind: 'credit' })
}

async function refuseOtherEntry(db: Db, { entryId, organizationId, amountMicros }: NewCredit): Promise<void> {
  const entry = await db
    .selectFrom('ledger_entries')
    .select(['organization_id', 'kind', 'amount_micros'])
    .where('id', '=', entryId)
    .executeTakeFirst()
  const isSame =
    entry?.kind === 'credit' &&
    entry.organization_id === organizationId &&
    entry.amount_micros === amountMicros
  if (isSame) return
  throw new ApiError('invalid_parameter', {
    message: `The entry ${entryId} exists already, for something else. Nothing was added.`,
  })
}

/** Returns an error whose throwing rolls the entry back. */
async function insufficientBalance(db: Db, id: string): Promise<ApiError> {
  const organization = await findOrganization(db, id)
  const free = Number(organization?.balanceMicros) - Number(organization?.heldMicros)
  return new ApiError('invalid_parameter', {
    message: `At most ${free} micros can be taken from ${id}: its balance less the held money. Nothing was taken.`,
  })
}

function balanceOverflow(id: string): ApiError {
  return new ApiError('invalid_parameter', {
    message: `The balance of ${id} would be more than can be counted exactly. Nothing was added.`,
  })
}
