import type { PriceLine } from '../../domain/billing/price-text.ts'
import { type FocusRow, type FocusUse, focusRow } from '../../domain/usage/focus-row.ts'
import { parseUsageQuery } from '../../domain/usage/usage-query.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import type { ChargePage, TextCharge, UsageReportStore, VideoCharge } from '../../ports/usage-reports.ts'

const PAGE = 1_000
const DAY_MS = 86_400_000

/** Yields the `Usage` rows of FOCUS 1.2, one day at a time. A row sums the usage of one model by one key at one price. */
export type ExportFocus = (query: {
  from?: string | undefined
  to?: string | undefined
  organizationId: string | undefined
}) => AsyncGenerator<FocusRow[]>

interface FocusSum extends Omit<FocusUse, 'dayMs' | 'organizationName'> {
  line: PriceLine | VideoLine
}

type VideoLine = {
  unit: 'video_token' | 'second' | 'credit' | 'request'
  quantity: number
  priceMicros: number
}

export function exportFocus(tools: {
  usageReports: Pick<UsageReportStore, 'listText' | 'listVideo'>
  organizations: Pick<OrganizationStore, 'list'>
  clock: Clock
}): ExportFocus {
  const { usageReports, organizations, clock } = tools
  return async function* days({ organizationId, from, to }) {
    const { fromMs, toMs } = parseUsageQuery({ from, to }, clock.nowMs())
    const names = new Map((await organizations.list()).map(({ id, name }) => [id, name]))
    for (let dayMs = fromMs - (fromMs % DAY_MS); dayMs < toMs; dayMs += DAY_MS) {
      const sums = new Map<string, FocusSum>()
      const day = { fromMs: Math.max(dayMs, fromMs), toMs: Math.min(dayMs + DAY_MS, toMs), organizationId }
      for await (const charge of all(usageReports.listText, day)) addText(sums, charge)
      for await (const charge of all(usageReports.listVideo, day)) addVideo(sums, charge)
      const rows = [...sums.keys()].toSorted().flatMap((key) => sums.get(key) ?? [])
      if (rows.length > 0)
        yield rows.map((sum) =>
          focusRow({ ...sum, dayMs, organizationName: names.get(sum.organizationId) ?? '' }),
        )
    }
  }
}

async function* all<Charge extends { atMs: number; id?: string; entryId: string }>(
  list: (page: ChargePage) => Promise<Charge[]>,
  day: Omit<ChargePage, 'after' | 'limit'>,
): AsyncGenerator<Charge> {
  for (let after = { atMs: 0, id: '' }; ; ) {
    const page = await list({ ...day, after, limit: PAGE })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = { atMs: last.atMs, id: last.id ?? last.entryId }
  }
}

/** The lines of a request are rounded together: the last one gets the rest of the cost. */
function addText(sums: Map<string, FocusSum>, charge: TextCharge): void {
  const lines: readonly (PriceLine | VideoLine)[] = charge.priceLines ?? [
    { unit: 'request', quantity: 1, priceMicros: charge.costMicros },
  ]
  let left: number = charge.costMicros
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1
    const billedMicros = isLast ? left : Math.min(left, Math.round(exactMicros(line)))
    left -= billedMicros
    add(sums, charge, line, billedMicros)
  }
}

function addVideo(sums: Map<string, FocusSum>, charge: VideoCharge): void {
  const { unit, quantity, priceMicros, costMicros } = charge
  const line: VideoLine =
    unit === null || quantity === null || priceMicros === null
      ? { unit: 'request', quantity: 1, priceMicros: costMicros }
      : { unit, quantity, priceMicros }
  add(sums, { ...charge, userId: charge.userId ?? '', keyId: charge.keyId ?? '' }, line, costMicros)
}

function exactMicros({ unit, quantity, priceMicros }: PriceLine | VideoLine): number {
  return unit.endsWith('_token') ? (quantity * priceMicros) / 1_000_000 : quantity * priceMicros
}

function add(
  sums: Map<string, FocusSum>,
  { organizationId, userId, keyId, model }: Pick<FocusSum, 'organizationId' | 'userId' | 'keyId' | 'model'>,
  line: PriceLine | VideoLine,
  billedMicros: number,
): void {
  const key = `${organizationId} ${userId} ${keyId} ${model} ${line.unit} ${line.priceMicros}`
  const sum = sums.get(key)
  if (sum === undefined) {
    sums.set(key, { organizationId, userId, keyId, model, line, quantity: line.quantity, billedMicros })
    return
  }
  sum.quantity += line.quantity
  sum.billedMicros += billedMicros
}
