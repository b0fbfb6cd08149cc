import type { UsageGroup } from '../../ports/usage.ts'
import type { Spent } from './spent.ts'

const ROWS_MAX = 500

/** How many of the oldest rows can be written together: a group pays each organization's rows from one allowance only. */
export function groupLength(waiting: readonly Spent[]): number {
  const holds = new Map<string, string>()
  const end = Math.min(waiting.length, ROWS_MAX)
  for (let index = 0; index < end; index += 1) {
    const spent = waiting[index]
    if (spent === undefined) return index
    const { organizationId } = spent.row
    const holdId = holds.get(organizationId)
    if (holdId === undefined) holds.set(organizationId, spent.lease.holdId)
    else if (holdId !== spent.lease.holdId) return index
  }
  return end
}

export function isFullGroup(rows: number): boolean {
  return rows % ROWS_MAX === 0
}

export function toUsageGroup(id: string, spents: readonly Spent[], atMs: number): UsageGroup {
  const allowances: Record<string, string> = {}
  for (const { row, lease } of spents) allowances[row.organizationId] = lease.holdId
  const rows = spents.map(({ row }) => row)
  const claimed = spents.filter(({ claim }) => claim !== undefined)
  if (claimed.length === 0) return { id, rows, allowances, atMs }
  const claims = Object.fromEntries(claimed.map(({ row, claim }) => [row.id, claim?.id ?? '']))
  return { id, rows, allowances, claims, atMs }
}
