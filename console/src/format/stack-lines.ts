import type { Range, StepRow } from './ranges.ts'

export type StackedRow = StepRow & { model?: string; organization_id?: string }

/** Names of colour tokens; the largest group has the first. */
const TONES = ['accent', 'wait', 'ok', 'warn', 'bad']

export interface StackedLine {
  label: string
  tone: string
  values: number[]
}

/** Makes one line for each of the largest groups, and one for all others together. */
export function stackLines(
  rows: readonly StackedRow[],
  stack: 'model' | 'org',
  range: Range,
  value: (row: StepRow) => number,
  others: string,
): StackedLine[] {
  const nameOf = (row: StackedRow) => (stack === 'model' ? row.model : row.organization_id) ?? ''
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + value(row))
  const largest = [...sums]
    .toSorted((one, other) => other[1] - one[1])
    .slice(0, TONES.length)
    .map(([name]) => name)
  const lines = largest.map((name, index) => ({
    label: name,
    tone: TONES[index] ?? 'muted',
    values: range.spread(
      rows.filter((row) => nameOf(row) === name),
      value,
    ),
  }))
  if (sums.size <= TONES.length) return lines
  const rest = rows.filter((row) => !largest.includes(nameOf(row)))
  return [...lines, { label: others, tone: 'muted', values: range.spread(rest, value) }]
}
