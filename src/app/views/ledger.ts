import type { LedgerEntry } from '../../ports/operator-pages.ts'
import { presentTime } from './times.ts'

export function entryJson(entry: LedgerEntry) {
  return {
    id: entry.id,
    organization_id: entry.organizationId,
    kind: entry.kind,
    amount_micros: entry.amountMicros,
    loss_micros: entry.lossMicros,
    quote_loss_micros: entry.quoteLossMicros,
    task_id: entry.taskId,
    note: entry.note,
    created_at: presentTime(entry.createdAtMs),
  }
}
