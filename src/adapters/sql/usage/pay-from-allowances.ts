import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'
import { inChunks } from '../in-chunks.ts'
import type { Tables } from '../tables.ts'
import { lockAllowances } from './lock-allowances.ts'

/** Shrinks each allowance that is still open by what it can pay. Returns that amount per organization. */
export async function payFromAllowances(
  db: Kysely<Tables>,
  { costs, allowances }: { costs: ReadonlyMap<string, number>; allowances: Readonly<Record<string, string>> },
  traits: EngineTraits,
): Promise<Map<string, number>> {
  const holdIds = [...costs].flatMap(([organizationId, cost]) =>
    cost > 0 ? (allowances[organizationId] ?? []) : [],
  )
  const open = await lockAllowances(db, holdIds, traits)
  const payments = open
    .filter(({ id, organizationId }) => allowances[organizationId] === id)
    .map(({ id, organizationId, amount }) => ({
      id,
      organizationId,
      paid: Math.min(amount, costs.get(organizationId) ?? 0),
    }))
  for (const chunk of inChunks(payments)) {
    const values = chunk.map(({ id, paid }) => sql`(cast(${id} as text), cast(${paid} as bigint))`)
    await sql`
      update holds set amount_micros = amount_micros - payment.column2
      from (values ${sql.join(values)}) as payment where holds.id = payment.column1`.execute(db)
  }
  return new Map(payments.map(({ organizationId, paid }) => [organizationId, paid]))
}
