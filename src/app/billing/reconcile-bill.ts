import { type Micros, micros, ZERO_MICROS } from '../../domain/billing/micros.ts'
import { parseUsageQuery } from '../../domain/usage/usage-query.ts'
import type { TaskForOperator, TaskStore } from '../../ports/tasks.ts'
import type { UsageReportStore } from '../../ports/usage-reports.ts'
import type { Runtime } from '../runtime.ts'
import { ticketOf } from '../video/encrypted.ts'
import { type Bill, type BillColumns, isSameAmount, microsOf, readBill } from './read-bill.ts'

const PAGE_ROWS = 1_000
const CHARGES_PER_REPORT = 100_000
const DAY_MS = 86_400_000
/** Longest life of a task plus a day. A task that was set aside, and charged even later, is not found. */
const TASK_LIFE_MS = 31 * DAY_MS
/** Maximum listed rows of each kind; counts and sums cover all rows. */
const LISTED_MAX = 10_000

/** A task or request that was charged, billed or both. */
export interface ReconciledRow {
  /** Ticket or request id on the bill; null where the bill does not have it. */
  billId: string | null
  /** Id of the task or the text request; null where there is none. */
  id: string | null
  organizationId: string | null
  /** Status of a task, or outcome of a text request. */
  status: string | null
  chargedMicros: Micros
  billedMicros: Micros
}

export interface Findings {
  count: number
  micros: Micros
  rows: ReconciledRow[]
}

export interface Reconciliation {
  fromMs: number
  toMs: number
  lines: number
  agreed: number
  /** A customer may have paid for work that was never done. */
  chargedNotBilled: Findings
  /** The vendor is paid for work that no customer pays for. */
  billedNotCharged: Findings
  /** Only the amount billed above the charge is at risk; a lower bill is the margin. */
  differentAmounts: Findings
  marginMicros: Micros
  /** Credits with ids that no charge has, and lines without an id, such as fees and totals. */
  unassigned: { lines: number; micros: Micros }
  atRiskMicros: Micros
}

export type ReconcileBill = (command: {
  provider: string
  columns: BillColumns
  file: AsyncIterable<Uint8Array>
  /** Period of the bill, in the format of usage reports. */
  from?: string | undefined
  to?: string | undefined
  onProgress(progress: { of: 'lines' | 'charges'; count: number }): void
}) => Promise<Reconciliation>

interface Ours extends Pick<ReconciledRow, 'id' | 'organizationId' | 'status' | 'chargedMicros'> {
  names: readonly (string | null | undefined)[]
  isInPeriod: boolean
}

/**
 * Keeps the bill in memory by id, then reads every task and text request of the provider around the bill's period.
 * Tickets are encrypted with a random part, so the store cannot look them up.
 */
export function reconcileBill(
  tools: Pick<Runtime, 'clock' | 'secrets'> & {
    tasks: Pick<TaskStore, 'listForOperator' | 'listAttempts'>
    usageReports: Pick<UsageReportStore, 'listText'>
    pageRows?: number
  },
): ReconcileBill {
  const { tasks, usageReports, secrets, clock, pageRows = PAGE_ROWS } = tools
  return async ({ provider, columns, file, from, to, onProgress }) => {
    const { fromMs, toMs } = parseUsageQuery({ from, to }, clock.nowMs())
    const period = { provider, fromMs, toMs }
    const bill = await readBill(file, { columns, onLines: (count) => onProgress({ of: 'lines', count }) })
    const sums = startSums()
    let seen = 0
    for await (const ours of chargesOf(period)) {
      if (++seen % CHARGES_PER_REPORT === 0) onProgress({ of: 'charges', count: seen })
      compare(ours, bill, sums)
    }
    const unassigned = { ...bill.withoutId }
    for (const [billId, picos] of bill.amounts) {
      const billedMicros = microsOf(picos)
      const nothing = { id: null, organizationId: null, status: null, chargedMicros: ZERO_MICROS }
      if (picos > 0n) add(sums.billedNotCharged, { billId, ...nothing, billedMicros }, billedMicros)
      else if (picos < 0n) {
        unassigned.lines += 1
        unassigned.picos += picos
      }
    }
    const { chargedNotBilled, billedNotCharged, differentAmounts } = sums
    const atRisk = chargedNotBilled.micros + billedNotCharged.micros + differentAmounts.micros
    return {
      fromMs,
      toMs,
      lines: bill.lines,
      ...sums,
      atRiskMicros: micros(atRisk),
      unassigned: { lines: unassigned.lines, micros: microsOf(unassigned.picos) },
    }
  }

  async function* chargesOf(period: {
    provider: string
    fromMs: number
    toMs: number
  }): AsyncGenerator<Ours> {
    yield* videos(period)
    yield* texts(period)
  }

  async function* videos({ provider, fromMs, toMs }: Parameters<typeof chargesOf>[0]): AsyncGenerator<Ours> {
    const created = { fromMs: fromMs - TASK_LIFE_MS, toMs: toMs + DAY_MS }
    for (let after: string | undefined; ; ) {
      const page: TaskForOperator[] = await tasks.listForOperator({ ...created, after, limit: pageRows })
      for (const task of page) {
        if (task.attempt > 1) yield* earlierAttempts(task, provider)
        if (task.provider !== provider) continue
        const { id, organizationId, status } = task
        yield {
          id,
          organizationId,
          status,
          chargedMicros: task.chargedMicros ?? ZERO_MICROS,
          names: [...namesOf(ticketOf(task, secrets)), id],
          isInPeriod: isWithin(task.completedAtMs ?? task.createdAtMs, { fromMs, toMs }),
        }
      }
      after = page.at(-1)?.id
      if (page.length < pageRows) return
    }
  }

  /** A vendor may bill a task that it accepted and then failed; no customer pays for that. */
  async function* earlierAttempts(task: TaskForOperator, provider: string): AsyncGenerator<Ours> {
    const { id, organizationId } = task
    for (const attempt of await tasks.listAttempts(id)) {
      const { number, state: status, encryptedTicket } = attempt
      if (number === task.attempt || attempt.provider !== provider || encryptedTicket === null) continue
      yield {
        id,
        organizationId,
        status,
        chargedMicros: ZERO_MICROS,
        names: namesOf(ticketOf({ ...task, encryptedTicket }, secrets)),
        isInPeriod: false,
      }
    }
  }

  async function* texts({ provider, fromMs, toMs }: Parameters<typeof chargesOf>[0]): AsyncGenerator<Ours> {
    const around = { fromMs: fromMs - DAY_MS, toMs: toMs + DAY_MS, organizationId: undefined }
    for (let after = { atMs: 0, id: '' }; ; ) {
      const page = await usageReports.listText({ ...around, after, limit: pageRows })
      for (const charge of page) {
        if (charge.provider !== provider) continue
        const { id, requestId, organizationId, outcome, costMicros } = charge
        yield {
          id: requestId ?? id,
          organizationId,
          status: outcome,
          chargedMicros: costMicros,
          names: [requestId, id],
          isInPeriod: isWithin(charge.atMs, { fromMs, toMs }),
        }
      }
      const last = page.at(-1)
      if (last === undefined || page.length < pageRows) return
      after = { atMs: last.atMs, id: last.id }
    }
  }
}

/** A driver may keep a prefix before the vendor's id: `text2video/vb-1`. */
function namesOf(ticket: string | undefined): string[] {
  if (ticket === undefined) return []
  const slash = ticket.lastIndexOf('/')
  return slash === -1 ? [ticket] : [ticket, ticket.slice(slash + 1)]
}

type Sums = Pick<
  Reconciliation,
  'agreed' | 'chargedNotBilled' | 'billedNotCharged' | 'differentAmounts' | 'marginMicros'
>

function startSums(): Sums {
  const none = (): Findings => ({ count: 0, micros: ZERO_MICROS, rows: [] })
  return {
    agreed: 0,
    marginMicros: ZERO_MICROS,
    chargedNotBilled: none(),
    billedNotCharged: none(),
    differentAmounts: none(),
  }
}

/** Removes each match from the bill. Only the vendor knows the lines that remain. */
function compare({ names, isInPeriod, ...ours }: Ours, { amounts }: Bill, sums: Sums): void {
  const billId = names.find((name): name is string => name != null && amounts.has(name)) ?? null
  const picos = billId === null ? 0n : (amounts.get(billId) ?? 0n)
  if (billId !== null) amounts.delete(billId)
  const { chargedMicros } = ours
  const billedMicros = microsOf(picos)
  const row = { billId, ...ours, billedMicros }
  if (chargedMicros > 0 && picos <= 0n) {
    // A charge outside the period belongs to another bill.
    if (isInPeriod || billId !== null) add(sums.chargedNotBilled, row, chargedMicros)
  } else if (chargedMicros === 0 && picos > 0n) add(sums.billedNotCharged, row, billedMicros)
  else if (!isSameAmount(picos, chargedMicros)) {
    add(sums.differentAmounts, row, Math.max(0, billedMicros - chargedMicros))
    sums.marginMicros = micros(sums.marginMicros + Math.max(0, chargedMicros - billedMicros))
  } else if (billId !== null) sums.agreed += 1
}

function add(findings: Findings, row: ReconciledRow, atRisk: number): void {
  findings.count += 1
  findings.micros = micros(findings.micros + atRisk)
  if (findings.rows.length < LISTED_MAX) findings.rows.push(row)
}

function isWithin(ms: number, { fromMs, toMs }: { fromMs: number; toMs: number }): boolean {
  return ms >= fromMs && ms < toMs
}
