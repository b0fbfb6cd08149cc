import { ApiError } from '../../domain/api-error.ts'
import { type Micros, micros } from '../../domain/billing/micros.ts'
import { CsvReader, type CsvRecord } from '../../domain/usage/csv-records.ts'

/** Maximum ids of a bill. They need about 200 MB of memory. */
const IDS_MAX = 1_000_000
const ID_CHARACTERS_MAX = 512
/** Names of columns come from the file, so their number and length in a message are bounded. */
const COLUMNS_SHOWN = 50
const COLUMN_CHARACTERS_SHOWN = 64
const LINES_PER_REPORT = 100_000

/** Millionths of micros, because vendors bill fractions of a micro. */
export type Picos = bigint
const PICOS_PER_MICRO = 1_000_000n
const PICO_DECIMALS = 12
/** 4 billion US dollars: up to this amount, the sums of bill and charges in micros are exact numbers. */
const PICOS_MAX = 4_000_000_000n * 10n ** BigInt(PICO_DECIMALS)

export interface BillColumns {
  /** The column with the vendor's id of a task, or with the id of a text request. */
  ticket: string
  usd: string
}

export interface Bill {
  lines: number
  amounts: Map<string, Picos>
  /** Lines that name no id, such as fees and totals. */
  withoutId: { lines: number; picos: Picos }
}

export async function readBill(
  file: AsyncIterable<Uint8Array>,
  { columns, onLines }: { columns: BillColumns; onLines(lines: number): void },
): Promise<Bill> {
  const bill: Bill = { lines: 0, amounts: new Map(), withoutId: { lines: 0, picos: 0n } }
  let sizePicos = 0n
  let places: { ticket: number; usd: number } | undefined
  const take = (record: CsvRecord) => {
    if (places === undefined) places = placesOf(record.fields, columns)
    else {
      const picos = addLine(bill, record, { ...columns, places })
      sizePicos += picos < 0n ? -picos : picos
      if (sizePicos > PICOS_MAX)
        throw invalid(`Line ${record.line}: the amounts up to here come to more than 4 billion US dollars.`)
    }
    if (bill.lines > 0 && bill.lines % LINES_PER_REPORT === 0) onLines(bill.lines)
  }
  const reader = new CsvReader()
  const decoder = new TextDecoder('utf-8')
  for await (const bytes of file) {
    for (const record of reader.push(decoder.decode(bytes, { stream: true }))) take(record)
  }
  for (const record of [...reader.push(decoder.decode()), ...reader.end()]) take(record)
  if (places === undefined) throw invalid('The file is empty. Its first line names the columns.')
  return bill
}

function placesOf(names: readonly string[], columns: BillColumns) {
  const trimmed = names.map((name) => name.trim())
  const placeOf = (column: string) => {
    const place = trimmed.indexOf(column)
    if (place === -1) throw invalid(`The file has no column "${column}". Its columns: ${shownOf(trimmed)}.`)
    if (trimmed.lastIndexOf(column) !== place) throw invalid(`The file has several columns "${column}".`)
    return place
  }
  return { ticket: placeOf(columns.ticket), usd: placeOf(columns.usd) }
}

/** Control characters are removed, because a terminal would interpret them. */
function shownOf(names: readonly string[]): string {
  const shown = names.slice(0, COLUMNS_SHOWN).map((name) => {
    const plain = name.slice(0, COLUMN_CHARACTERS_SHOWN).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    return name.length > COLUMN_CHARACTERS_SHOWN ? `${plain}...` : plain
  })
  return names.length > COLUMNS_SHOWN ? `${shown.join(', ')}, ...` : shown.join(', ')
}

function addLine(
  bill: Bill,
  { line, fields }: CsvRecord,
  { usd, places }: BillColumns & { places: { ticket: number; usd: number } },
): Picos {
  const picos = picosOf(fields[places.usd]?.trim() ?? '')
  if (picos === undefined)
    throw invalid(`Line ${line}: column "${usd}" has no amount in US dollars such as 0.35.`)
  const id = fields[places.ticket]?.trim() ?? ''
  if (id.length > ID_CHARACTERS_MAX) throw invalid(`Line ${line}: the id is too long.`)
  bill.lines += 1
  if (id === '') {
    bill.withoutId.lines += 1
    bill.withoutId.picos += picos
    return picos
  }
  bill.amounts.set(id, (bill.amounts.get(id) ?? 0n) + picos)
  if (bill.amounts.size > IDS_MAX)
    throw invalid(
      `The file names more than ${IDS_MAX} ids. Split it by time, and give --from and --to for each part.`,
    )
  return picos
}

const AMOUNT = /^([+-]?)\$?(\d{1,3}(?:,\d{3}){1,4}|\d{1,12})?(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/

/** Reads `0.35`, `$1,234.50`, `-0.1`, `3.5E-05`, without floating-point numbers. undefined: not an amount. */
export function picosOf(text: string): Picos | undefined {
  const [, sign, dollars, places = '', exponent = '0'] = AMOUNT.exec(text) ?? []
  if (dollars === undefined && places === '') return undefined
  const digits = `${(dollars ?? '').replaceAll(',', '')}${places}`
  const zeros = PICO_DECIMALS - places.length + Number(exponent)
  const whole = zeros >= 0 ? digits.padEnd(digits.length + zeros, '0') : digits.slice(0, zeros)
  const picos = BigInt(whole === '' ? 0 : whole)
  return sign === '-' ? -picos : picos
}

export function microsOf(picos: Picos): Micros {
  const size = picos < 0n ? -picos : picos
  const rounded = (size + PICOS_PER_MICRO / 2n) / PICOS_PER_MICRO
  return micros(Number(picos < 0n ? -rounded : rounded))
}

/** A charge is a whole number of micros, so it equals a billed amount that differs by less than one micro. */
export function isSameAmount(picos: Picos, charged: Micros): boolean {
  const difference = picos - BigInt(charged) * PICOS_PER_MICRO
  return difference < PICOS_PER_MICRO && difference > -PICOS_PER_MICRO
}

function invalid(message: string): ApiError {
  return new ApiError('invalid_parameter', { message })
}
