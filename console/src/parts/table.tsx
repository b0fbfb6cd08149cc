import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/words.ts'
import { Empty, Failure, Skeleton } from './states.tsx'

export interface Column<Row> {
  title: string
  isNumber?: boolean
  cell(row: Row): ReactNode
}

interface TableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf(row: Row): string
  /** Whether the row continues the one above, and is drawn close to it. */
  isMore?(row: Row): boolean
  /** Called when the last rows come into view. */
  onEnd?: (() => void) | undefined
}

/** Number of rows beyond which only the visible ones are drawn. */
const DRAWN_WHOLE = 60
const ROW_PX = 41

export function Table<Row>({ label, rows, columns, keyOf, isMore, onEnd }: TableProps<Row>) {
  const scroller = useRef<HTMLElement>(null)
  const isLong = rows.length > DRAWN_WHOLE
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
    ? items.map(({ index }) => ({ index, row: rows[index] }))
    : rows.map((row, index) => ({ index, row }))
  const lastShown = shown.at(-1)?.index ?? 0

  useEffect(() => {
    if (isLong && lastShown >= rows.length - 10) onEnd?.()
  }, [isLong, lastShown, rows.length, onEnd])

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
    <section className={isLong ? 'table long' : 'table'} ref={scroller} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" className={isNumber ? 'num' : undefined}>
                {title}
              </th>
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
                  {columns.map(({ title, isNumber, cell }) => (
                    <td key={title} data-label={title} className={isNumber ? 'num' : undefined}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ),
          )}
          {isLong && <Spacer px={last} />}
        </tbody>
      </table>
    </section>
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

interface ListTableProps<Row> extends Omit<TableProps<Row>, 'rows' | 'onEnd'> {
  list: Listed<Row>
  /** Content for an empty list. */
  empty: ReactNode
}

/** A list of the admin API in its states; the next page is fetched before the end of the list. */
export function ListTable<Row>({ list, empty, ...table }: ListTableProps<Row>) {
  const t = useWords(frameWords)
  const { rows, error, hasNextPage, isFetchingNextPage } = list
  if (rows === undefined)
    return error === null ? <Skeleton /> : <Failure error={error} onRetry={() => list.refetch()} />
  if (rows.length === 0) return typeof empty === 'string' ? <Empty title={empty} /> : empty
  const next = () => {
    if (hasNextPage && !isFetchingNextPage) list.fetchNextPage()
  }
  return (
    <>
      {error !== null && <Failure error={error} onRetry={() => list.refetch()} />}
      <Table {...table} rows={rows} onEnd={next} />
      <div className="table-foot">
        <span>{t(hasNextPage ? 'rowsMore' : 'rowsShown', { count: rows.length })}</span>
        {hasNextPage && (
          <button type="button" className="plain" disabled={isFetchingNextPage} onClick={next}>
            {t('more')}
          </button>
        )}
      </div>
    </>
  )
}
