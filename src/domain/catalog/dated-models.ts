import { counted } from '../counted.ts'
import { type PricedModel, splitModelName } from './model.ts'

const DAY_MS = 86_400_000
/** Age above which prices count as old: vendors change them a few times a year. */
const PRICES_DAYS_MAX = 90

type DatedModel = Pick<PricedModel, 'name' | 'pricesTaken' | 'ends'>

/** Lists the providers with old prices, one row for each day on which prices were taken. */
export function oldPrices(
  catalog: readonly DatedModel[],
  nowMs: number,
): { provider: string; why: string }[] {
  const old = catalog.filter(({ pricesTaken }) => daysSince(pricesTaken, nowMs) > PRICES_DAYS_MAX)
  const groups = Map.groupBy(
    old,
    ({ name, pricesTaken }) => `${splitModelName(name).provider} ${pricesTaken}`,
  )
  return Array.from(groups.values()).flatMap((rows) =>
    rows.slice(0, 1).map(({ name, pricesTaken }) => ({
      provider: splitModelName(name).provider,
      why: `the prices of ${counted(rows.length, 'model')} were taken on ${pricesTaken}, ${daysSince(pricesTaken, nowMs)} days ago`,
    })),
  )
}

export function endingModels(
  catalog: readonly DatedModel[],
  nowMs: number,
): { model: string; why: string }[] {
  return catalog.flatMap(({ name, ends }) => {
    if (ends === undefined) return []
    const verb = daysSince(ends, nowMs) >= 0 ? 'ended' : 'ends'
    return [{ model: name, why: `its vendor ${verb} it on ${ends}` }]
  })
}

/** Returns full days; -1 for a missing or unreadable day, and a negative number for a future day. */
function daysSince(day: string | undefined, nowMs: number): number {
  const startMs = Date.parse(day ?? '')
  return Number.isNaN(startMs) ? -1 : Math.floor((nowMs - startMs) / DAY_MS)
}
