import { ApiError } from '../../domain/api-error.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { UsageRowGroup, UsageStore } from '../../ports/usage.ts'
import type { Runtime } from '../runtime.ts'
import type { GroupEnd } from './settle-group.ts'
import type { Spent } from './spent.ts'

const ROWS_MAX = 500
/** From this number of waiting rows on, no request is admitted. */
const WAITING_MAX = 10_000
/** A single row that the store refuses this often is given up; otherwise it would block all later rows. */
const ATTEMPTS_MAX = 3

export interface UsageBuffer {
  waiting(): number
  isFull(): boolean
  /** Takes every row, even when full, because admitted requests are recorded. After `close` the row is lost. */
  add(spent: Spent): void
  /** Writes the oldest group. Returns false when the group has to be retried after a pause. Calls must not overlap. */
  writeGroup(): Promise<boolean>
  /** Calls `wake` when the first row arrives, and each time there are enough rows for a full group. */
  whenDue(wake: () => void): void
  /**
   * Stops writing: waiting and later rows are given up with their cost as a loss. A running write keeps its group, because
   * only that write knows its result. Returns the number of rows in that group.
   */
  close(): number
}

interface WaitingGroup {
  id: string
  spents: readonly Spent[]
  attempts: number
}

/** A group that may have been written although the answer was lost is retried unchanged: the write is idempotent. */
export function createUsageBuffer(
  tools: Pick<Runtime, 'clock' | 'log' | 'newId'> & {
    usage: UsageStore
    metrics: Metrics
    end: GroupEnd
  },
): UsageBuffer {
  const { usage, clock, newId, log, metrics, end } = tools
  let rows: Spent[] = []
  let groups: WaitingGroup[] = []
  let inGroups = 0
  let writing: WaitingGroup | undefined
  let isClosed = false
  let wake = () => {}
  const waiting = () => rows.length + inGroups

  return {
    waiting,
    isFull: () => waiting() >= WAITING_MAX,
    add(spent) {
      if (isClosed) {
        end.lost([spent], new Error('the row came after the buffer was closed'))
        return
      }
      rows.push(spent)
      if (rows.length === 1 || rows.length % ROWS_MAX === 0) wake()
    },
    async writeGroup() {
      const group = nextGroup()
      if (group === undefined) return true
      writing = group
      try {
        return await write(group)
      } finally {
        writing = undefined
        metrics.usageWaiting(waiting())
      }
    },
    whenDue(listener) {
      wake = listener
    },
    close() {
      isClosed = true
      const lost = [...groups.filter((group) => group !== writing).flatMap(({ spents }) => spents), ...rows]
      rows = []
      groups = groups.filter((group) => group === writing)
      inGroups = writing?.spents.length ?? 0
      if (lost.length > 0) end.lost(lost, new Error('the buffer was closed while the store was unreachable'))
      return inGroups
    },
  }

  function nextGroup(): WaitingGroup | undefined {
    if (groups.length === 0 && rows.length > 0) prepend([rows.splice(0, groupLength(rows))])
    return groups[0]
  }

  function prepend(parts: readonly (readonly Spent[])[]): void {
    for (const { length } of parts) inGroups += length
    // Ids are made in the order of the groups: the ledger lists entries by id, which begins with the id of the group.
    groups.unshift(...parts.map((spents) => ({ id: newId('ent'), spents, attempts: 0 })))
  }

  function remove(group: WaitingGroup): void {
    if (groups[0] !== group) return
    groups.shift()
    inGroups -= group.spents.length
  }

  async function write(group: WaitingGroup): Promise<boolean> {
    try {
      const written = await usage.write(toUsageGroup(group.id, group.spents, clock.nowMs()))
      remove(group)
      end.written(group.spents, written)
      return true
    } catch (error) {
      return failed(group, error)
    }
  }

  function failed(group: WaitingGroup, error: unknown): boolean {
    if (isClosed) return lose(group, error)
    if (error instanceof ApiError && error.code === 'store_unavailable') {
      log.debug('usage.waiting', { count: waiting(), error })
      return false
    }
    const { spents } = group
    if (spents.length > 1) {
      log.error('usage.group_refused', { count: spents.length, error })
      remove(group)
      const middle = spents.length >> 1
      prepend([spents.slice(0, middle), spents.slice(middle)])
      return true
    }
    group.attempts += 1
    if (group.attempts < ATTEMPTS_MAX) return false
    return lose(group, error)
  }

  function lose(group: WaitingGroup, error: unknown): boolean {
    remove(group)
    end.lost(group.spents, error)
    return true
  }
}

/** Returns how many of the oldest rows have one allowance per organization. Keys with a budget have an allowance each. */
export function groupLength(waiting: readonly Spent[]): number {
  const holds = new Map<string, string>()
  const end = Math.min(waiting.length, ROWS_MAX)
  for (let index = 0; index < end; index += 1) {
    const spent = waiting[index]
    if (spent === undefined) return index
    if (spent.lease.keyId !== undefined) continue
    const { organizationId } = spent.row
    const holdId = holds.get(organizationId)
    if (holdId === undefined) holds.set(organizationId, spent.lease.holdId)
    else if (holdId !== spent.lease.holdId) return index
  }
  return end
}

export function toUsageGroup(id: string, spents: readonly Spent[], atMs: number): UsageRowGroup {
  const allowances: Record<string, string> = {}
  const keyAllowances: Record<string, string> = {}
  let hasKeys = false
  for (const { row, lease } of spents) {
    if (lease.keyId === undefined) allowances[row.organizationId] = lease.holdId
    else {
      keyAllowances[row.id] = lease.holdId
      hasKeys = true
    }
  }
  const rows = spents.map(({ row }) => row)
  const claimed = spents.filter(({ claim }) => claim !== undefined)
  const paid = hasKeys ? { allowances, keyAllowances } : { allowances }
  if (claimed.length === 0) return { id, rows, ...paid, atMs }
  const claims = Object.fromEntries(claimed.map(({ row, claim }) => [row.id, claim?.id ?? '']))
  return { id, rows, ...paid, claims, atMs }
}
