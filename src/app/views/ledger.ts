import { json } from '../../domain/json/json-schema.ts'
import type { TracedEntry } from '../../ports/operator-pages.ts'
import type { LedgerReport } from '../billing/check-ledger.ts'
import { answer, shown } from './present.ts'

export const ENTRY_KINDS = ['credit', 'settlement', 'usage', 'refund'] as const

export const ENTRY = answer({
  id: shown.text(),
  organization_id: shown.text(),
  kind: json.oneOf(ENTRY_KINDS),
  amount_micros: shown.micros(),
  loss_micros: shown.micros(),
  quote_loss_micros: shown.micros(),
  task_id: shown.textOrNull(),
  note: shown.textOrNull(),
  created_at: shown.time(),
})

export const HOLD = answer({
  id: shown.text(),
  kind: json.oneOf(['task', 'allowance']),
  state: json.oneOf(['open', 'settled', 'released', 'expired']),
  amount_micros: shown.micros(),
  created_at: shown.time(),
  ended_at: shown.timeOrNull(),
})

export const CHARGED_REQUEST = answer({
  usage_id: shown.text(),
  request_id: shown.textOrNull(),
  model: shown.text(),
  cost_micros: shown.micros(),
})

export const REFUND = answer({
  task_id: shown.text(),
  organization_id: shown.text(),
  amount_micros: shown.micros(),
  refunded_micros: shown.micros(),
})

export const LEDGER_CHECK = answer(
  {
    ok: json.boolean({ description: 'Every invariant was checked and holds.' }),
    violations: json.array(
      json.object({ invariant: shown.count(), subject: shown.text(), message: shown.text() }),
    ),
    cut_invariants: json.array(shown.count(), {
      description: 'Invariants with more violations than are shown.',
    }),
    unmeasured_charges: shown.count(),
    unchecked_invariants: json.array(shown.count(), {
      description: 'Invariants for which no time was left.',
    }),
  },
  { cut_invariants: 'truncatedInvariants' },
).from((report: LedgerReport) => ({
  ...report,
  ok: report.violations.length + report.uncheckedInvariants.length === 0,
}))

/** Shows an entry with its origin: a hold and its task, or text requests. */
export function tracedEntryJson({ hold, usageId, requests, ...entry }: TracedEntry) {
  return {
    ...ENTRY.present(entry),
    usage_id: usageId,
    hold: hold && HOLD.present(hold),
    requests: requests.map(CHARGED_REQUEST.present),
  }
}
