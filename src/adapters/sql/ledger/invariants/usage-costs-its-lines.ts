import { sql } from 'kysely'
import { costOfLines, type PriceLine } from '../../../../domain/billing/price-text.ts'
import type { PriceUnit } from '../../../../domain/catalog/price-row.ts'
import type { Db } from '../../tables.ts'
import { readPriceLines } from '../../usage/price-lines.ts'
import type { Invariant } from './invariant.ts'

/** Number of rows that one query reads into memory; usage is by far the largest table. */
const PAGE_ROWS = 2_000

/** A text charge is the sum of its price lines. Rows older than price lines are not checked. */
export const usageCostsItsLines: Invariant = async (db, { limit }) => {
  const violations: { subject: string; message: string }[] = []
  let after = ''
  while (violations.length < limit) {
    const page = await pageAfter(db, after)
    for (const row of page) {
      const message = faultOf(row)
      if (message !== undefined) violations.push({ subject: row.id, message })
      after = row.id
    }
    if (page.length < PAGE_ROWS) break
  }
  return violations.slice(0, limit)
}

interface PricedUsageRow {
  id: string
  outcome: string
  cost_micros: number
  input_tokens: number
  cached_input_tokens: number
  cache_write_tokens: number
  output_tokens: number
  price_lines: string
}

async function pageAfter(db: Db, id: string): Promise<PricedUsageRow[]> {
  const { rows } = await sql<PricedUsageRow>`
    select id, outcome, cost_micros, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, price_lines
    from text_usage where id > ${id} and price_lines is not null
    order by id limit ${PAGE_ROWS}`.execute(db)
  return rows
}

function faultOf(row: PricedUsageRow): string | undefined {
  const lines = readPriceLines(row.price_lines)
  if (lines === undefined) return 'The price lines of the usage row cannot be read.'
  const cost = costOfLines(lines)
  if (cost !== row.cost_micros)
    return `The usage row costs ${row.cost_micros} micros, its price lines come to ${cost}.`
  // A request that failed before its first output is free, although it has token counts.
  if (lines.length === 0 && row.outcome !== 'completed') return undefined
  const measured = COUNTS.find(({ column, units }) => row[column] !== quantityOf(lines, units))
  if (measured === undefined) return undefined
  return `The usage row has ${row[measured.column]} ${measured.column}, its price lines ${quantityOf(lines, measured.units)}.`
}

const COUNTS = [
  { column: 'input_tokens', units: ['input_token'] },
  { column: 'cached_input_tokens', units: ['cached_input_token'] },
  { column: 'cache_write_tokens', units: ['cache_write_token', 'long_cache_write_token'] },
  { column: 'output_tokens', units: ['output_token'] },
] as const

function quantityOf(lines: readonly PriceLine[], units: readonly PriceUnit[]): number {
  return lines.reduce((sum, { unit, quantity }) => (units.includes(unit) ? sum + quantity : sum), 0)
}
