import type { SandboxClock } from '../clock.ts'
import type { BilledAmount, SandboxPart } from '../part.ts'

/** Number of units that a price is for: tokens are priced by the million. */
const UNITS_PER_PRICE: Readonly<Record<BilledAmount['unit'], bigint>> = {
  token: 1_000_000n,
  second: 1n,
  credit: 1n,
}
const PICOS_PER_USD = 10n ** 12n
const CREDIT_PICOS = PICOS_PER_USD / 100n
const PRICE = /^(\d{1,6})(?:\.(\d{1,6}))?$/
const TASKS_MAX = 1_000

/**
 * Writes the vendor's bill in CSV, in US dollars with all decimals. The request names tasks and prices, because each test
 * has its own. Nothing is rounded, and nothing is taken from the gateway. undefined: the body names no tasks and prices.
 */
export function writeBill(
  body: Buffer,
  { parts, clock }: { parts: readonly SandboxPart[]; clock: SandboxClock },
): string | undefined {
  const lines = readTasks(body)?.flatMap(({ id, pricePicos }) => {
    const measured = parts.map((part) => part.measure?.(id, clock)).find((found) => found !== undefined)
    if (measured === undefined) return []
    const { unit, quantity } = measured
    const picos = (BigInt(quantity) * (unit === 'credit' ? CREDIT_PICOS : pricePicos)) / UNITS_PER_PRICE[unit]
    const decimals = String(picos % PICOS_PER_USD).padStart(12, '0')
    return [`${id},${unit},${quantity},${picos / PICOS_PER_USD}.${decimals}`]
  })
  return lines && `${['task_id,unit,quantity,usd', ...lines].join('\n')}\n`
}

function readTasks(body: Buffer): { id: string; pricePicos: bigint }[] | undefined {
  let input: unknown
  try {
    input = JSON.parse(body.toString())
  } catch {
    return undefined
  }
  const { tasks }: { tasks?: unknown } = Object(input)
  if (!Array.isArray(tasks) || tasks.length > TASKS_MAX) return undefined
  const read = tasks.flatMap((task) => {
    const { id, usd }: { id?: unknown; usd?: unknown } = Object(task)
    const [, dollars, places = ''] = PRICE.exec(typeof usd === 'string' ? usd : '') ?? []
    if (typeof id !== 'string' || dollars === undefined) return []
    return [{ id, pricePicos: BigInt(dollars + places.padEnd(12, '0')) }]
  })
  return read.length === tasks.length ? read : undefined
}
