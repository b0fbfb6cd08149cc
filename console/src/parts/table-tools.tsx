import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { csvOf, type Value } from '../format/csv.ts'
import { sortingOf, sortRows } from '../format/sort-rows.ts'
import { frameWords } from '../words/frame.ts'
import { useLanguage, useWords } from '../words/words.ts'
import { type Column, cellValue } from './columns.tsx'
import { customerNames, useCustomerNamesOf } from './customers.tsx'
import { Choice } from './fields.tsx'

/** Rows in the order that the link asks for; an unknown column changes nothing. */
export function useSortedRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: string | undefined,
): readonly Row[] {
  const locale = useLanguage()
  const sorting = sortingOf(sort)
  const column = columns.find(({ name }) => name !== '' && name === sorting?.column)
  const isByName = column?.isCustomer === true
  const names = useCustomerNamesOf(isByName ? rows.map((row) => String(cellValue(column, row) ?? '')) : [])
  const isDescending = sorting?.isDescending ?? false
  // biome-ignore lint/correctness/useExhaustiveDependencies: columns are made anew each time; their names stay.
  return useMemo(() => {
    if (column === undefined) return rows
    const value = (row: Row): Value => {
      const found = cellValue(column, row)
      return isByName ? names.get(String(found)) || found : found
    }
    return sortRows(rows, value, { isDescending, locale })
  }, [rows, column?.name, isDescending, locale, names])
}

interface SortChoiceProps<Row> {
  columns: readonly Column<Row>[]
  value: string | undefined
  onChoose(sort: string | undefined): void
}

/** Takes the place of the column heads, which a phone does not show. */
export function SortChoice<Row>({ columns, value, onChoose }: SortChoiceProps<Row>) {
  const t = useWords(frameWords)
  const options = columns
    .filter(({ name }) => name !== '')
    .flatMap(({ name, title }) => [[name, `${title} ↑`] as const, [`-${name}`, `${title} ↓`] as const])
  return (
    <div className="sort-choice">
      <Choice
        label={t('sort')}
        value={value ?? ''}
        options={[['', t('notSorted')], ...options]}
        onChoose={(sort: string) => onChoose(sort || undefined)}
      />
    </div>
  )
}

interface CsvProps<Row> {
  name: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
}

/** Saves the rows that are shown, in their order. */
export function CsvButton<Row>({ name, columns, rows }: CsvProps<Row>) {
  const t = useWords(frameWords)
  const client = useQueryClient()
  const shown = columns.filter((column) => column.name !== '')
  const customer = shown.find(({ isCustomer }) => isCustomer)
  const save = async () => {
    const ids = customer === undefined ? [] : rows.map((row) => String(cellValue(customer, row) ?? ''))
    const names = await customerNames(client, ids)
    const titles = shown.flatMap(({ title, isCustomer }) => (isCustomer ? [title, `${title} ID`] : [title]))
    const lines = rows.map((row) =>
      shown.flatMap((column) => {
        const value = cellValue(column, row)
        return column.isCustomer ? [names.get(String(value)) ?? '', value] : [value]
      }),
    )
    saveFile(`sluice-${name}-${new Date().toISOString().slice(0, 10)}.csv`, csvOf(titles, lines))
  }
  return (
    <button type="button" className="plain" onClick={save}>
      {t('csv')}
    </button>
  )
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
