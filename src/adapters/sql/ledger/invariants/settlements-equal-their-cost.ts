import { sql } from 'kysely'
import { type Micros, micros } from '../../../../domain/billing/micros.ts'
import { type CostTerms, costOfTerms, type TaskPricing } from '../../../../domain/video/cost-of-task.ts'
import type { Db } from '../../tables.ts'
import type { Invariant } from './invariant.ts'

/** Number of settlements that one query reads into memory. */
const PAGE = 1_000

/**
 * Charge plus loss of a settlement is the measured quantity at the price of the entry, which is the price of the task.
 * The function that charges computes the cost here too, because the engines round decimals differently.
 */
export const settlementsEqualTheirCost: Invariant = async (db, { limit }) => {
  const violations: { subject: string; message: string }[] = []
  for (let after = ''; violations.length < limit; ) {
    const rows = await readPage(db, after)
    for (const row of rows) {
      const message = faultOf(row)
      if (message !== undefined) violations.push({ subject: row.id, message })
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.hold_id
  }
  return violations.slice(0, limit)
}

interface Settled {
  id: string
  hold_id: string
  amount_micros: number
  loss_micros: number
  quote_loss_micros: number
  cost_unit: CostTerms['unit']
  cost_quantity: number
  cost_price_micros: number
  task_id: string | null
  pricing: string | null
}

/** Reads settlements in the order of their holds, which is the order of the unique index on settlements. */
async function readPage(db: Db, after: string): Promise<readonly Settled[]> {
  const { rows } = await sql<Settled>`
    select entries.id, entries.hold_id, entries.amount_micros, loss_micros, quote_loss_micros,
      cost_unit, cost_quantity, cost_price_micros,
      video_tasks.id as task_id, pricing
    from (
      select * from ledger_entries
      where kind = 'settlement' and hold_id > ${after} and cost_unit is not null order by hold_id limit ${PAGE}
    ) as entries
    left join holds on holds.id = entries.hold_id
    left join video_tasks on video_tasks.id = holds.task_id
    order by entries.hold_id`.execute(db)
  return rows
}

function faultOf(row: Settled): string | undefined {
  const { amount_micros, cost_unit: unit, cost_quantity: quantity, cost_price_micros } = row
  const lost = row.loss_micros + row.quote_loss_micros
  const priceMicros = micros(cost_price_micros)
  const cost = costOrNone({ unit, quantity, priceMicros })
  if (lost - amount_micros !== cost) {
    const terms = `${quantity} ${unit} at ${priceMicros} micros`
    const charged = `The settlement charged ${0 - amount_micros} micros and lost ${lost}`
    return cost === undefined
      ? `${charged}, but ${terms} is no cost.`
      : `${charged}, but ${terms} cost ${cost}.`
  }
  const pricing: Partial<TaskPricing> = JSON.parse(row.pricing ?? '{}')
  if (pricing.unit === undefined || isAgreed(pricing, { unit, priceMicros })) return undefined
  return `The settlement is at ${priceMicros} micros per ${unit}, its task ${row.task_id} was taken at ${pricing.priceMicros} per ${pricing.unit}.`
}

/** Tells whether the terms match the task's; a vendor may bill in credits in place of seconds. */
function isAgreed(
  pricing: Partial<TaskPricing>,
  { unit, priceMicros }: { unit: CostTerms['unit']; priceMicros: Micros },
): boolean {
  if (unit === 'credit') return pricing.unit === 'second'
  return pricing.unit === unit && pricing.priceMicros === priceMicros
}

function costOrNone(terms: CostTerms): Micros | undefined {
  try {
    return costOfTerms(terms)
  } catch {
    return undefined
  }
}
