import type { LedgerEntry, TracedEntry } from '../../ports/operator-pages.ts'
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

/** Presents an entry with its origin: a hold and its task, or text requests. */
export function tracedEntryJson({ hold, usageId, requests, ...entry }: TracedEntry) {
  return {
    ...entryJson(entry),
    usage_id: usageId,
    hold: hold && {
      id: hold.id,
      kind: hold.kind,
      state: hold.state,
      amount_micros: hold.amountMicros,
      created_at: presentTime(hold.createdAtMs),
      ended_at: hold.endedAtMs === null ? null : presentTime(hold.endedAtMs),
    },
    requests: requests.map(({ usageId: id, requestId, model, costMicros }) => ({
      usage_id: id,
      request_id: requestId,
      model,
      cost_micros: costMicros,
    })),
  }
}
