import type { FaultRow } from './fault-rows.ts'

/** Number of rows that run at a time, where none of them measures. */
export const LANES = 2

/** A row in its lane, from the minute when it begins. */
export interface PlannedRow {
  row: FaultRow
  beginsAtMinute: number
}

/**
 * Chooses the row that begins now; undefined: no row may begin. The longest rows begin first, so that both lanes end at
 * about the same time. A row that measures begins when all others have ended, and runs alone.
 */
export function nextRow(left: readonly FaultRow[], running: readonly FaultRow[]): FaultRow | undefined {
  if (running.length >= LANES || running.some(({ measures }) => measures === true)) return undefined
  const [longest] = left
    .filter(({ measures }) => measures !== true)
    .toSorted((one, other) => other.minutes - one.minutes)
  return longest ?? (running.length === 0 ? left[0] : undefined)
}

/** Returns the rows of each lane, if each row takes its minutes. Rows that measure are in the first lane. */
export function lanesOf(rows: readonly FaultRow[]): PlannedRow[][] {
  const lanes = Array.from({ length: LANES }, (): PlannedRow[] => [])
  let left = [...rows]
  let minute = 0
  const runningIn = (lane: PlannedRow[]) => lane.filter((planned) => endOf(planned) > minute)
  while (left.length > 0) {
    const row = nextRow(
      left,
      lanes.flatMap(runningIn).map((planned) => planned.row),
    )
    const free = lanes.find((lane) => runningIn(lane).length === 0)
    if (row === undefined || free === undefined) {
      minute = Math.min(...lanes.flatMap(runningIn).map(endOf))
      continue
    }
    free.push({ row, beginsAtMinute: minute })
    left = left.filter((other) => other !== row)
  }
  return lanes
}

/** Minutes until all rows have ended. */
export function minutesOf(rows: readonly FaultRow[]): number {
  return Math.max(0, ...lanesOf(rows).flat().map(endOf))
}

/** Runs each row once, as `nextRow` lets it begin. After a fault no row begins, and the running rows end first. */
export async function runInLanes(
  rows: readonly FaultRow[],
  run: (row: FaultRow, left: readonly FaultRow[]) => Promise<void>,
): Promise<void> {
  let left = [...rows]
  const running = new Map<FaultRow, Promise<void>>()
  const faults: unknown[] = []
  while (left.length + running.size > 0) {
    const row = nextRow(left, [...running.keys()])
    if (row === undefined) {
      await Promise.race(running.values())
      if (faults.length > 0) left = []
      continue
    }
    const ended = run(row, left)
      .catch((fault: unknown) => void faults.push(fault))
      .finally(() => void running.delete(row))
    running.set(row, ended)
    left = left.filter((other) => other !== row)
  }
  if (faults.length > 0) throw faults[0]
}

function endOf({ row, beginsAtMinute }: PlannedRow): number {
  return beginsAtMinute + row.minutes
}
