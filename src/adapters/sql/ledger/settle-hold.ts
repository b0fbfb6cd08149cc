import { sql } from 'kysely'
import { type Micros, micros } from '../../../domain/billing/micros.ts'
import { monthOf } from '../../../domain/limits/calendar-day.ts'
import { type CostTerms, costOfTerms, lossByQuote } from '../../../domain/video/cost-of-task.ts'
import type { LedgerStore, Settlement } from '../../../ports/ledger.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { hotStatement } from '../hot-statement.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { countInMonth } from '../tenants/budget-months.ts'
import { countForKeys } from '../tenants/key-budgets.ts'
import { addToRollups } from '../usage/rollups.ts'
import { type EndedHold, endHold } from './end-hold.ts'
import { insertPricedEntry } from './insert-entries.ts'
import { payable } from './open-hold.ts'
import { moveDay } from './user-days.ts'

export const SETTLE_HOLD = { settle: write(settleHold) } satisfies Partial<StatementsOf<LedgerStore>>

interface Settling {
  holdId: string
  entryId: string
  cost: CostTerms
  atMs: number
  /** Keys and figures for the rollups. Left out: `count-late-usage.ts` counts the settlement later. */
  video?: { keyId: string; model: string; videoMs: number; durationMs: number }
}

/** Locks rows in the order of `open-hold.ts`. */
export async function settleHold(
  db: Db,
  settling: Settling,
  traits: EngineTraits,
): Promise<Settlement | undefined> {
  const { holdId, cost, atMs } = settling
  const costMicros = costOfTerms(cost)
  const hold = await endHold(db, { holdId, state: 'settled', atMs })
  if (hold === undefined) return undefined
  // The user's day counts the whole cost, with the part that the balance cannot pay.
  const day = await moveDay(db, { userId: hold.userId, day: hold.day, delta: costMicros - hold.amount })
  await countVideo(db, hold, settling, costMicros)
  const keyId = hold.keyId ?? settling.video?.keyId
  if (keyId !== undefined)
    await countForKeys(db, new Map([[keyId, { month: monthOf(hold.day), cost: costMicros }]]), traits)
  const charge = { db, hold, settling, costMicros }
  const charged = costMicros <= hold.amount ? await chargeWithin(charge) : await chargeBeyond(charge)
  return { chargedMicros: micros(charged), lossMicros: micros(costMicros - charged), day }
}

async function countVideo(
  db: Db,
  { organizationId, userId }: EndedHold,
  { video, atMs }: Settling,
  costMicros: Micros,
): Promise<void> {
  if (video === undefined) return
  const key = { organizationId, userId, outcome: 'completed' } as const
  await addToRollups(db, [{ ...key, ...video, requests: 1, costMicros, atMs }])
}

interface SettlementCharge {
  db: Db
  hold: EndedHold
  settling: Settling
  costMicros: Micros
}

/** Charges a cost within the hold by one update: a prepaid balance covers its holds, a postpaid one may be negative. */
async function chargeWithin(charge: SettlementCharge): Promise<number> {
  const { db, hold, costMicros } = charge
  await insertSettlement(charge, costMicros)
  await deduct(db, { cost: costMicros, month: monthOf(hold.day), ...hold })
  return costMicros
}

const deduct = hotStatement<{ cost: number; month: string } & EndedHold>(
  ({ cost, month, amount, organizationId }) => sql`
    update organizations set balance_micros = balance_micros - ${cost}, held_micros = held_micros - ${amount},
      ${countInMonth(sql`cast(${cost} as bigint)`, sql`cast(${month} as text)`)}
    where id = ${organizationId}`,
)

/** Charges a cost above the hold. The first update locks the row until the second. */
async function chargeBeyond(charge: SettlementCharge): Promise<number> {
  const { db, hold, costMicros } = charge
  const { rows } = await sql<{ billing: string; balance_micros: number; held_micros: number }>`
    update organizations set held_micros = held_micros - ${hold.amount} where id = ${hold.organizationId}
    returning billing, balance_micros, held_micros`.execute(db)
  const organization = rows[0]
  if (organization === undefined) throw new Error('the organization of the hold is gone')
  const charged = payable(costMicros, organization)
  await sql`
    update organizations set balance_micros = balance_micros - ${charged},
      ${countInMonth(sql`cast(${costMicros} as bigint)`, sql`cast(${monthOf(hold.day)} as text)`)}
    where id = ${hold.organizationId}`.execute(db)
  await insertSettlement(charge, charged)
  return charged
}

async function insertSettlement(input: SettlementCharge, charged: number): Promise<void> {
  const { db, hold, settling, costMicros } = input
  const { unit, quantity, priceMicros } = settling.cost
  await insertPricedEntry(db, {
    id: settling.entryId,
    organizationId: hold.organizationId,
    kind: 'settlement',
    amount: -charged,
    loss: costMicros - charged,
    holdId: settling.holdId,
    note: null,
    atMs: settling.atMs,
    unit,
    quantity,
    priceMicros,
    quoteLoss: lossByQuote(settling.cost),
    userId: settling.video === undefined ? null : hold.userId,
    keyId: settling.video?.keyId ?? null,
    model: settling.video?.model ?? null,
    outcome: settling.video === undefined ? null : 'completed',
    videoMs: settling.video?.videoMs ?? null,
    durationMs: settling.video?.durationMs ?? null,
  })
}
