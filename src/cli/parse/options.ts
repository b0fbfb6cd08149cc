import { InvalidArgumentError } from 'commander'
import { type Micros, micros } from '../../domain/billing/micros.ts'
import { parseUsdMicros } from '../../domain/billing/usd.ts'

/** Every database engine stores amounts below this limit exactly. */
const DOLLARS_MAX = 1_000_000_000n

/** Returns US dollars as the shortest equal decimal, without rounding through a binary fraction. */
export function parseUsd(text: string): string {
  const [, dollars, fraction = ''] = /^(\d{1,20})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (dollars === undefined)
    throw new InvalidArgumentError('Use US dollars with at most 6 decimals, such as 5 or 0.25.')
  if (BigInt(dollars) >= DOLLARS_MAX)
    throw new InvalidArgumentError(`Use less than ${DOLLARS_MAX} US dollars.`)
  const decimals = fraction.replace(/0+$/, '')
  return decimals === '' ? `${BigInt(dollars)}` : `${BigInt(dollars)}.${decimals}`
}

export function parseCount({ max }: { max: number }): (text: string) => number {
  return (text) => {
    const count = /^\d{1,15}$/.test(text) ? Number(text) : 0
    if (count < 1 || count > max) throw new InvalidArgumentError(`Use a whole number from 1 to ${max}.`)
    return count
  }
}

export const parseRequestsPerMinute = parseCount({ max: 10_000_000 })

export function parseRpmOrNone(text: string): number | 'none' {
  return text === 'none' ? text : parseRequestsPerMinute(text)
}

/** Parses a moment in ISO 8601. A date alone means its beginning in UTC. */
export function parseMoment(text: string): number {
  const isIso = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(
    text,
  )
  const atMs = isIso ? Date.parse(text) : Number.NaN
  if (Number.isNaN(atMs))
    throw new InvalidArgumentError('Use a moment such as 2027-01-31 or 2027-01-31T12:00:00Z.')
  return atMs
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const DURATION_MS_MAX = 366 * 86_400_000

/** Parses a duration such as 30m to milliseconds. */
export function parseDuration(text: string): number {
  const [, count, unit = 's'] = /^(\d{1,9})([smhd])$/.exec(text) ?? /^(0)$/.exec(text) ?? []
  const ms = count === undefined ? Number.NaN : Number(count) * (UNITS_MS[unit] ?? Number.NaN)
  if (!(ms <= DURATION_MS_MAX)) throw new InvalidArgumentError('Use a time such as 0, 30m, 24h or 7d.')
  return ms
}

const LISTED_MAX = 100

export function parseModels(text: string): string[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  if (names.some((name) => !/^[^/\s]+\/\S+$/.test(name)))
    throw new InvalidArgumentError(
      'Use names of models with commas between, such as vendorC/model-4.1,vendorD/text-small.',
    )
  if (names.length > LISTED_MAX) throw new InvalidArgumentError(`List at most ${LISTED_MAX} models.`)
  return names
}

/** Parses an amount of US dollars above zero. */
export function parseCredit(text: string): Micros {
  const amount = parseUsdMicros(parseUsd(text))
  if (amount === undefined || amount === 0) throw new InvalidArgumentError('Use more than 0 US dollars.')
  return amount
}

/** Parses an amount of US dollars; a negative one takes money back. */
export function parseCreditChange(text: string): Micros {
  return text.startsWith('-') ? micros(-parseCredit(text.slice(1))) : parseCredit(text)
}

export function parseBudget(text: string): Micros | 'none' {
  return text === 'none' ? text : parseCredit(text)
}

export const parsePercent = parseCount({ max: 100 })

/** Parses the ledger entry id that a failed command named. */
export function parseEntry(text: string): string {
  if (/^ent_[\w-]{1,64}$/.test(text)) return text
  throw new InvalidArgumentError('Use the id that the failed command named, such as ent_019a2b3c.')
}

const CHARACTERS_MAX = 200

/** Parses one line of text; `what` begins the error message. */
function parseLine(what: string): (text: string) => string {
  return (text) => {
    const line = text.trim()
    if (line === '') throw new InvalidArgumentError(`${what} cannot be empty.`)
    if ([...line].length > CHARACTERS_MAX)
      throw new InvalidArgumentError(`${what} has at most ${CHARACTERS_MAX} characters.`)
    if (/\p{Cc}/u.test(line) || !line.isWellFormed())
      throw new InvalidArgumentError(`${what} cannot hold control characters.`)
    return line
  }
}

export const parseName = parseLine('A name')

/** Parses the reason of a money movement, which the ledger entry keeps. */
export const parseNote = parseLine('A note')
