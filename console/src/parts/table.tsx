import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { nextSorting, sortingOf } from '../format/sort-rows.ts'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/words.ts'
import type { Column } from './columns.tsx'
import { useFilters } from './navigate.ts'
import { Empty, Failure, Skeleton } from './states.tsx'
import { CsvButton, SortChoice, useSortedRows } from './table-tools.tsx'

interface TableProps<Row> {
  /** Name in the link, and of the CSV file. */
  name: string
  label: string
  rows: readonly Row[]
  columns: readonly Column<NoInfer<Row>>[]
  keyOf(row: Row): string
  /** Whether the row continues the one above, and is drawn close to it. */
  isMore?(row: Row): boolean
  /** Called when the last rows of a table longer than `DRAWN_WHOLE` come into view. */
  onEnd?: (() => void) | undefined
  /** Whether all rows of a long table are drawn, so that a printed page has them. */
  isPrinted?: boolean
  /** Content of the line below the rows. */
  foot?: ReactNode
}

/** Number of rows beyond which only the visible ones are drawn. */
const DRAWN_WHOLE = 60
const ROW_PX = 41

/** A table with rows that continue others cannot be sorted, because those rows would lose their place. */
export function Table<Row>({
  name,
  label,
  rows,
  columns: all,
  keyOf,
  isMore,
  onEnd,
  isPrinted = false,
  foot,
}: TableProps<Row>) {
  const columns = all.filter(({ isCsvOnly }) => !isCsvOnly)
  const t = useWords(frameWords)
  const scroller = useRef<HTMLElement>(null)
  const [filters, setFilters] = useFilters()
  const parameter = `${name}_sort`
  const sort = isMore === undefined ? filters[parameter] : undefined
  const sorted = useSortedRows(rows, columns, sort)
  const setSort = (next: string | undefined) => setFilters({ [parameter]: next })
  const isLong = !isPrinted && rows.length > DRAWN_WHOLE
  const virtual = useVirtualizer({
    count: isLong ? rows.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]?.start ?? 0
  const last = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const shown = isLong
    ? items.map(({ index }) => ({ index, row: sorted[index] }))
    : sorted.map((row, index) => ({ index, row }))
  const lastShown = shown.at(-1)?.index ?? 0
  const figures = columns.filter((column) => column.isNumber && column.name !== '')
  const figure = figures.find(({ name: one }) => one.endsWith('_micros')) ?? figures[0]

  useEffect(() => {
    if (isLong && lastShown >= rows.length - 10) onEnd?.()
  }, [isLong, lastShown, rows.length, onEnd])

  const styleOf = (column: Column<Row>, index: number) =>
    [
      column.isNumber && 'num',
      index === 0 && 'lead',
      column === figure && (column.name.endsWith('_micros') ? 'figure-cell' : 'figure-cell named'),
      column.name === '' && 'acts',
      column.isMinor && 'minor',
    ]
      .filter(Boolean)
      .join(' ') || undefined

  return (
    <>
      {isMore === undefined && rows.length > 1 && (
        <SortChoice columns={columns} value={sort} onChoose={setSort} />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard. */}
      <section className={isLong ? 'table long' : 'table'} ref={scroller} aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <Head
                  key={column.name || column.title}
                  column={column}
                  className={styleOf(column, index)}
                  sort={sort}
                  onSort={isMore === undefined ? setSort : undefined}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {isLong && <Spacer px={first} />}
            {shown.map(
              ({ row, index }) =>
                row !== undefined && (
                  <tr
                    key={keyOf(row)}
                    className={isMore?.(row) ? 'more' : undefined}
                    data-index={index}
                    ref={isLong ? virtual.measureElement : undefined}
                  >
                    {columns.map((column, place) => (
                      <td
                        key={column.name || column.title}
                        data-label={column.title}
                        className={styleOf(column, place)}
                      >
                        {column.cell(row)}
                      </td>
                    ))}
                  </tr>
                ),
            )}
            {isLong && <Spacer px={last} />}
          </tbody>
        </table>
      </section>
      <div className="table-foot">
        <span>{foot ?? t('rowsShown', { count: rows.length })}</span>
        <CsvButton name={name} columns={all} rows={sorted} />
      </div>
    </>
  )
}

interface HeadProps<Row> {
  column: Column<Row>
  className: string | undefined
  sort: string | undefined
  onSort: ((sort: string | undefined) => void) | undefined
}

function Head<Row>({ column, className, sort, onSort }: HeadProps<Row>) {
  const { name, title, isNumber = false } = column
  const sorting = sortingOf(sort)
  const direction = sorting?.column === name ? (sorting.isDescending ? 'descending' : 'ascending') : undefined
  return (
    <th scope="col" className={className} aria-sort={direction}>
      {name === '' || onSort === undefined ? (
        title
      ) : (
        <button type="button" onClick={() => onSort(nextSorting(sort, name, isNumber))}>
          {title}
          <span aria-hidden="true">
            {direction === undefined ? '' : direction === 'descending' ? ' ↓' : ' ↑'}
          </span>
        </button>
      )}
    </th>
  )
}

function Spacer({ px }: { px: number }) {
  return (
    <tr className="spacer">
      <td style={{ height: px }} />
    </tr>
  )
}

interface Listed<Row> {
  rows: Row[] | undefined
  error: Error | null
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): unknown
  refetch(): unknown
}

interface ListTableProps<Row> extends Omit<TableProps<Row>, 'rows' | 'onEnd' | 'foot'> {
  list: Listed<Row>
  /** Content for an empty list. */
  empty: ReactNode
}

/** Number of rows up to which a sorted list is loaded: the order is only right among the loaded rows. */
const SORTED_MAX = 500

/** A list of the admin API in its states; the next page is fetched before the end of the list. */
export function ListTable<Row>({ list, empty, ...table }: ListTableProps<Row>) {
  const t = useWords(frameWords)
  const [filters] = useFilters()
  const { rows, error, hasNextPage, isFetchingNextPage } = list
  const isSorted = filters[`${table.name}_sort`] !== undefined
  const next = () => {
    if (hasNextPage && !isFetchingNextPage) list.fetchNextPage()
  }
  const isShort = isSorted && error === null && rows !== undefined && rows.length < SORTED_MAX
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that arrives asks for the next one.
  useEffect(() => {
    if (isShort) next()
  }, [isShort, rows?.length, hasNextPage])
  if (rows === undefined)
    return error === null ? <Skeleton /> : <Failure error={error} onRetry={() => list.refetch()} />
  if (rows.length === 0) return typeof empty === 'string' ? <Empty title={empty} /> : empty
  const count = { count: rows.length }
  const foot = (
    <>
      {t(hasNextPage ? (isSorted ? 'rowsSorted' : 'rowsMore') : 'rowsShown', count)}
      {hasNextPage && (
        <button type="button" className="plain" disabled={isFetchingNextPage} onClick={next}>
          {t('more')}
        </button>
      )}
    </>
  )
  return (
    <>
      {error !== null && <Failure error={error} onRetry={() => list.refetch()} />}
      <Table {...table} rows={rows} onEnd={next} foot={foot} />
    </>
  )
}
