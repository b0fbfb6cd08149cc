import type { ReactNode } from 'react'
import type { Value } from '../format/csv.ts'
import { Customer } from './customers.tsx'
import { Chip, Count, Duration, Id, None, Time, Usd } from './values.tsx'

export interface Column<Row> {
  /** Name of the column in the link, and of the row's member where `value` is left out. Empty: a column of buttons. */
  name: string
  title: string
  isNumber?: boolean
  /** Value for sorting and CSV. */
  value?(row: Row): Value
  /** The value is the id of a customer; sorting uses the name, and CSV has both. */
  isCustomer?: boolean
  isCsvOnly?: boolean
  /** The column is left out on a phone, where a row has two lines. */
  isMinor?: boolean
  cell(row: Row): ReactNode
}

type NameOf<Row> = keyof Row & string

/** Returns a column's value for sorting and CSV. Without `value`, a member in micros is given in dollars. */
export function cellValue<Row>({ name, value }: Column<Row>, row: Row): Value {
  if (value !== undefined) return value(row)
  const found: unknown = (row as Record<string, unknown>)[name]
  if (typeof found === 'number' && name.endsWith('_micros')) return found / 1_000_000
  return typeof found === 'object' && found !== null ? JSON.stringify(found) : (found as Value)
}

export function textColumn<Row>(name: NameOf<Row>, title: string): Column<Row> {
  return { name, title, cell: (row) => row[name] as ReactNode }
}

export function timeColumn<Row>(name: NameOf<Row>, title: string): Column<Row> {
  return { name, title, cell: (row) => <Time iso={row[name] as string | null} /> }
}

/** Signed amounts show their direction; without a value the cell shows a dash. */
export function moneyColumn<Row>(name: NameOf<Row>, title: string, { signed = false } = {}): Column<Row> {
  return {
    name,
    title,
    isNumber: true,
    cell: (row) => {
      const micros = row[name] as number | null
      return micros === null ? <None /> : <Usd micros={micros} signed={signed} />
    },
  }
}

export function countColumn<Row>(name: NameOf<Row>, title: string, none: ReactNode = <None />): Column<Row> {
  return {
    name,
    title,
    isNumber: true,
    cell: (row) => {
      const value = row[name] as number | null
      return value === null ? none : <Count value={value} />
    },
  }
}

export function durationColumn<Row>(name: NameOf<Row>, title: string): Column<Row> {
  return {
    name,
    title,
    isNumber: true,
    cell: (row) => {
      const ms = row[name] as number | null
      return ms === null ? <None /> : <Duration ms={ms} />
    },
  }
}

export function stateColumn<Row>(name: NameOf<Row>, title: string): Column<Row> {
  return { name, title, cell: (row) => <Chip state={String(row[name])} /> }
}

export function idColumn<Row>(name: NameOf<Row>, title: string): Column<Row> {
  return { name, title, cell: (row) => <Id id={row[name] as string | null} /> }
}

export function customerColumn<Row extends { organization_id: string | null }>(title: string): Column<Row> {
  return {
    name: 'organization_id',
    title,
    isCustomer: true,
    cell: ({ organization_id: id }) => id !== null && <Customer id={id} />,
  }
}

/** A column of buttons at the end of a row. */
export const ACTIONS = { name: '', title: '', isNumber: true }
