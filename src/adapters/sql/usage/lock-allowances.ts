import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'
import { inChunks } from '../in-chunks.ts'
import type { Tables } from '../tables.ts'

export interface OpenAllowance {
  id: string
  organizationId: string
  amount: number
}

/** Those of them that are open, by id: the order in which everybody takes several holds. */
export async function lockAllowances(
  db: Kysely<Tables>,
  holdIds: readonly string[],
  traits: EngineTraits,
): Promise<OpenAllowance[]> {
  const allowances: OpenAllowance[] = []
  for (const chunk of inChunks([...new Set(holdIds)].toSorted())) {
    const { rows } = await sql<{ id: string; organization_id: string; amount_micros: number }>`
      select id, organization_id, amount_micros from holds
      where id in (${sql.join(chunk)}) and state = 'open' and kind = 'allowance'
      order by id ${traits.lockRows}`.execute(db)
    for (const { id, organization_id, amount_micros } of rows) {
      allowances.push({ id, organizationId: organization_id, amount: amount_micros })
    }
  }
  return allowances
}
