import { sql } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import type { UsageCharge } from '../../../ports/usage.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { hotListStatement } from '../hot-statement.ts'
import { inChunks } from '../in-chunks.ts'
import { payable } from '../ledger/open-hold.ts'
import type { Db } from '../tables.ts'
import { countInMonth, type MonthCost } from '../tenants/budget-months.ts'
import { lockAllowances } from './allowances.ts'

interface LockedOrganization {
  id: string
  billing: string
  balance_micros: number
  held_micros: number
}

/** Charges organizations. An amount from an allowance lowers balance and held amount equally. */
export async function chargeOrganizations(
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
export interface AllowanceCost {
  organizationId: string
  cost: number
}

/** Lowers each open allowance by the cost that it can pay. Returns this amount by hold. */
export async function payFromAllowances(
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
    await shrinkHolds(
      db,
      chunk.flatMap(({ id, cost }) => [id, cost]),
    )
  }
  return new Map(payments.map(({ id, organizationId, cost }) => [id, { organizationId, cost }]))
}

const shrinkHolds = hotListStatement<string | number>(2, (rows) => {
  const values = rows.map(([id, cost]) => sql`(cast(${id} as text), cast(${cost} as bigint))`)
  return sql`
    update holds set amount_micros = amount_micros - payment.column2
    from (values ${sql.join(values)}) as payment where holds.id = payment.column1`
})
