import type { Value } from './csv.ts'

export interface Sorting {
  column: string
  isDescending: boolean
}

/** Reads a sorting: `-created_at` sorts by that column, the largest first. */
export function sortingOf(text: string | undefined): Sorting | undefined {
  if (text === undefined || text === '' || text === '-') return undefined
  const isDescending = text.startsWith('-')
  return { column: isDescending ? text.slice(1) : text, isDescending }
}

/** The next of a column's three states: its first direction, the other one, none. */
export function nextSorting(text: string | undefined, column: string, isNumber: boolean): string | undefined {
  const [first, second] = isNumber ? [`-${column}`, column] : [column, `-${column}`]
  if (text === first) return second
  return text === second ? undefined : first
}

/** Rows without a value come last in both directions; equal rows keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  value: (row: Row) => Value,
  { isDescending, locale }: { isDescending: boolean; locale: string },
): Row[] {
  const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })
  return rows
    .map((row) => ({ row, value: value(row) }))
    .toSorted((one, other) => {
      const [a, b] = [one.value, other.value]
      const isEmpty = [a, b].map((value) => value === null || value === undefined || value === '')
      if (isEmpty[0] || isEmpty[1]) return Number(isEmpty[0]) - Number(isEmpty[1])
      const order = typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b))
      return isDescending ? -order : order
    })
    .map(({ row }) => row)
}
