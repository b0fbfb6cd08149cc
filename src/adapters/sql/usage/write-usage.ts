import { sql } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import { monthOf } from '../../../domain/limits/calendar-day.ts'
import type { UsageCharge, UsageRowGroup, UsageStore, WrittenUsage } from '../../../ports/usage.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { hotListStatement } from '../hot-statement.ts'
import { inChunks } from '../in-chunks.ts'
import { insertEntries } from '../ledger/insert-entries.ts'
import { payable } from '../ledger/open-hold.ts'
import { moveDays } from '../ledger/user-days.ts'
import { finishClaims } from '../request-claims/request-claims.ts'
import { RollbackWith } from '../rollback-with.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { countInMonth, type MonthCost } from '../tenants/budget-months.ts'
import { countForKeys } from '../tenants/key-budgets.ts'
import { lockAllowances } from './allowances.ts'
import { insertUsageRows } from './insert-usage-rows.ts'
import { addToRollups } from './rollups.ts'

export const WRITE_USAGE = {
  /**
   * Locks rows in the order of `open-hold.ts`, with a number of statements that hardly grows with the group.
   * A group whose rows exist was written completely, and its second attempt is rolled back.
   */
  write: write(async (db, group, traits) => {
    const known = await findOrganizations(db, group)
    const superseded = await finishOrSupersede(db, group, traits)
    const rows = group.rows.filter(
      ({ id, organizationId }) => known.has(organizationId) && !superseded?.includes(id),
    )
    const leftOut = superseded === undefined ? {} : { superseded }
    if (rows.length === 0) return { ...NOTHING, ...leftOut }
    const costs = sumPerOrganization(rows)
    const payments = await payFromAllowances(db, costsOfAllowances(rows, group), traits)
    const moves = rows.map(({ userId, day, costMicros }) => ({ userId, day, deltaMicros: costMicros }))
    const days = await moveDays(db, moves)
    const entryIdOf = (organizationId: string) => `${group.id}:${organizationId}`
    const added = await insertUsageRows(db, rows, { entryIdOf, atMs: group.atMs })
    if (added < rows.length) throw new RollbackWith({ ...NOTHING, ...leftOut })
    const parts = rows.map((row) => ({ ...row, requests: 1 as const, atMs: group.atMs }))
    await addToRollups(db, parts)
    const costsOfKeys = sumPerMonth(rows, ({ keyId }) => keyId)
    await countForKeys(db, costsOfKeys, traits)
    const paid = sumPayments(payments)
    const months = sumPerMonth(rows, ({ organizationId }) => organizationId)
    const charges = await chargeOrganizations(db, { costs, paid, months }, traits)
    const entries = charges.map(({ organizationId, fromAllowanceMicros, beyondMicros, lossMicros }) => ({
      id: entryIdOf(organizationId),
      organizationId,
      kind: 'usage' as const,
      amount: -(fromAllowanceMicros + beyondMicros),
      loss: lossMicros,
      holdId: null,
      note: null,
      atMs: group.atMs,
    }))
    await insertEntries(db, entries)
    if (group.keyAllowances === undefined) return { days, charges, ...leftOut }
    const paidMicros = Object.fromEntries([...payments].map(([holdId, { cost }]) => [holdId, micros(cost)]))
    return { days, charges, paidMicros, ...leftOut }
  }),
} satisfies Partial<StatementsOf<UsageStore>>

const NOTHING: WrittenUsage = { days: [], charges: [] }

/** Finishes the group's claims. Returns the rows whose claim was lost; undefined when there are none. */
async function finishOrSupersede(
  db: Db,
  { claims = {} }: UsageRowGroup,
  traits: EngineTraits,
): Promise<string[] | undefined> {
  const claimIds = Object.values(claims)
  if (claimIds.length === 0) return undefined
  const finished = await finishClaims(db, claimIds, traits)
  const lost = Object.keys(claims).filter((rowId) => !finished.has(claims[rowId] ?? ''))
  return lost.length === 0 ? undefined : lost
}

/** Finds existing organizations, because rows of a deleted one cannot be charged. */
async function findOrganizations(db: Db, { rows }: UsageRowGroup): Promise<Set<string>> {
  const ids = [...new Set(rows.map(({ organizationId }) => organizationId))]
  const known = new Set<string>()
  for (const chunk of inChunks(ids)) {
    const found = await selectOrganizations(db, chunk)
    for (const { id } of found.rows) known.add(id)
  }
  return known
}

const selectOrganizations = hotListStatement<string, { id: string }>(
  1,
  (ids) => sql`select id from organizations where id in (${sql.join(ids.flat())})`,
)

/** Sums costs, in the order of ids in which every transaction locks organizations. */
function sumPerOrganization(rows: UsageRowGroup['rows']): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { organizationId } of rows.toSorted(byOrganization)) sums.set(organizationId, 0)
  for (const { organizationId, costMicros } of rows) {
    sums.set(organizationId, micros((sums.get(organizationId) ?? 0) + costMicros))
  }
  return sums
}

/** Sums the costs by allowance. A row is paid from the allowance of its key, or else of its organization. */
function costsOfAllowances(rows: UsageRowGroup['rows'], input: UsageRowGroup): Map<string, AllowanceCost> {
  const { allowances, keyAllowances } = input
  const sums = new Map<string, AllowanceCost>()
  for (const { id, organizationId, costMicros } of rows) {
    const holdId = keyAllowances?.[id] ?? allowances[organizationId]
    if (holdId === undefined) continue
    const known = sums.get(holdId)
    if (known === undefined) sums.set(holdId, { organizationId, cost: costMicros })
    else if (known.organizationId === organizationId) known.cost += costMicros
  }
  return sums
}

function sumPayments(payments: ReadonlyMap<string, AllowanceCost>): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { organizationId, cost } of payments.values())
    sums.set(organizationId, (sums.get(organizationId) ?? 0) + cost)
  return sums
}

/** Sums the latest month of each organization or key, because rows of an older month count for no budget. */
function sumPerMonth(
  rows: UsageRowGroup['rows'],
  idOf: (row: UsageRowGroup['rows'][number]) => string,
): Map<string, MonthCost> {
  const sums = new Map<string, MonthCost>()
  for (const row of rows) {
    const { day, costMicros } = row
    const month = monthOf(day)
    const known = sums.get(idOf(row))
    if (known === undefined || known.month < month) sums.set(idOf(row), { month, cost: costMicros })
    else if (known.month === month) known.cost += costMicros
  }
  return sums
}

function byOrganization(one: { organizationId: string }, other: { organizationId: string }): number {
  if (one.organizationId === other.organizationId) return 0
  return one.organizationId < other.organizationId ? -1 : 1
}

interface LockedOrganization {
  id: string
  billing: string
  balance_micros: number
  held_micros: number
}

/** Charges organizations. An amount from an allowance lowers balance and held amount equally. */
async function chargeOrganizations(
  db: Db,
  input: {
    costs: ReadonlyMap<string, number>
    paid: ReadonlyMap<string, number>
    months: ReadonlyMap<string, MonthCost>
  },
  traits: EngineTraits,
): Promise<UsageCharge[]> {
  const { costs, paid, months } = input
  const charges: UsageCharge[] = []
  for (const chunk of inChunks([...costs.keys()])) {
    const { rows } = await lockOrganizations(db, chunk, traits)
    const part = rows.map((row) => toCharge(row, costs.get(row.id) ?? 0, paid.get(row.id) ?? 0))
    await deduct(db, part, months)
    charges.push(...part)
  }
  return charges
}

const lockOrganizations = hotListStatement<string, LockedOrganization, [EngineTraits]>(
  1,
  (ids, { lockRows }) => sql`
    select id, billing, balance_micros, held_micros from organizations
    where id in (${sql.join(ids.flat())}) order by id ${lockRows}`,
)

function toCharge(organization: LockedOrganization, cost: number, fromAllowance: number): UsageCharge {
  const beyond = payable(cost - fromAllowance, organization)
  return {
    organizationId: organization.id,
    fromAllowanceMicros: micros(fromAllowance),
    beyondMicros: micros(beyond),
    lossMicros: micros(cost - fromAllowance - beyond),
  }
}

async function deduct(
  db: Db,
  charges: readonly UsageCharge[],
  months: ReadonlyMap<string, MonthCost>,
): Promise<void> {
  for (const chunk of inChunks(charges)) {
    const values = chunk.flatMap(({ organizationId, fromAllowanceMicros, beyondMicros }) => {
      const { month, cost } = months.get(organizationId) ?? { month: '', cost: 0 }
      return [organizationId, fromAllowanceMicros + beyondMicros, fromAllowanceMicros, cost, month]
    })
    await updateOrganizations(db, values)
  }
}

const updateOrganizations = hotListStatement<string | number>(5, (rows) => {
  const values = rows.map(
    ([id, charged, fromAllowance, cost, month]) => sql`(cast(${id} as text), cast(${charged} as bigint),
      cast(${fromAllowance} as bigint), cast(${cost} as bigint), cast(${month} as text))`,
  )
  return sql`
    update organizations
    set balance_micros = balance_micros - charge.column2, held_micros = held_micros - charge.column3,
      ${countInMonth(sql`charge.column4`, sql`charge.column5`)}
    from (values ${sql.join(values)}) as charge where organizations.id = charge.column1`
})

/** Organization of an allowance, and the cost of the rows that the allowance pays. */
interface AllowanceCost {
  organizationId: string
  cost: number
}

/** Lowers each open allowance by the cost that it can pay. Returns this amount by hold. */
async function payFromAllowances(
  db: Db,
  costs: ReadonlyMap<string, AllowanceCost>,
  traits: EngineTraits,
): Promise<Map<string, AllowanceCost>> {
  const holdIds = [...costs].flatMap(([holdId, { cost }]) => (cost > 0 ? [holdId] : []))
  const open = await lockAllowances(db, holdIds, traits)
  const payments = open
    .filter(({ id, organizationId }) => costs.get(id)?.organizationId === organizationId)
    .map(({ id, organizationId, amount }) => ({
      id,
      organizationId,
      cost: Math.min(amount, costs.get(id)?.cost ?? 0),
    }))
  for (const chunk of inChunks(payments)) {
    const values = chunk.flatMap(({ id, cost }) => [id, cost])
    await shrinkHolds(db, values)
  }
  return new Map(payments.map(({ id, organizationId, cost }) => [id, { organizationId, cost }]))
}

const shrinkHolds = hotListStatement<string | number>(2, (rows) => {
  const values = rows.map(([id, cost]) => sql`(cast(${id} as text), cast(${cost} as bigint))`)
  return sql`
    update holds set amount_micros = amount_micros - payment.column2
    from (values ${sql.join(values)}) as payment where holds.id = payment.column1`
})
