const MICROS = 1_000_000

/** Millionths of a US dollar as money, with as many decimals as the amount has, at least two. */
export function usd(micros: number, locale = 'en'): string {
  return dollars(micros / MICROS, locale, { minimumFractionDigits: 2, maximumFractionDigits: 6 })
}

/** Formats every amount of money, with the sign `$` alone: the foot of the menu says that these are US dollars. */
function dollars(amount: number, locale: string, options: Intl.NumberFormatOptions): string {
  const format = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
  return new Intl.NumberFormat(locale, { ...format, ...options }).format(amount)
}

/** A short form for figures and axes; compact from 10,000 dollars on, such as `$12.3K`. */
export function usdShort(micros: number, locale = 'en'): string {
  const amount = micros / MICROS
  const isLarge = Math.abs(amount) >= 10_000
  const digits = isLarge ? 1 : Math.abs(amount) >= 1 || amount === 0 ? 2 : 4
  return dollars(amount, locale, {
    notation: isLarge ? 'compact' : 'standard',
    minimumFractionDigits: Math.min(2, digits),
    maximumFractionDigits: digits,
  })
}

/** A typed amount such as `12.5` in whole millionths; undefined when it is not an amount. */
export function microsOf(text: string): number | undefined {
  const match = /^\s*\$?\s*(-?)(\d{1,9})(?:\.(\d{1,6}))?\s*$/.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', decimals = ''] = match
  const micros = Number(whole) * MICROS + Number(decimals.padEnd(6, '0'))
  return sign === '-' ? -micros : micros
}

export function count(value: number, locale = 'en'): string {
  return new Intl.NumberFormat(locale).format(value)
}

export function countShort(value: number, locale = 'en'): string {
  if (Math.abs(value) < 10_000) return count(value, locale)
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

export function percent(part: number, whole: number, locale = 'en'): string {
  if (whole === 0) return '–'
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(part / whole)
}

/** Relative change, such as `+12%`; empty when there is nothing to compare with. */
export function change(now: number, before: number, locale = 'en'): string {
  if (before === 0) return ''
  const options = { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' } as const
  return new Intl.NumberFormat(locale, options).format((now - before) / before)
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** A duration in its two largest units, or one unit below a minute: `2 days 3 hr`, `1.4 sec`, `340 ms`. */
export function duration(ms: number, locale = 'en'): string {
  if (ms < 1_000) return withUnit(Math.round(ms), 'millisecond', locale)
  if (ms < 60_000) return withUnit(Math.round(ms / 100) / 10, 'second', locale)
  const first = UNITS.findIndex(([, size]) => ms >= size)
  let rest = ms
  const parts: string[] = []
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const whole = Math.floor(rest / size)
    rest -= whole * size
    if (whole > 0) parts.push(withUnit(whole, unit, locale))
  }
  return parts.join(' ')
}

function withUnit(value: number, unit: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value)
}

/** A moment in the reader's zone; without the date if it is today, and without the year if it is the current year. */
export function moment(iso: string, locale = 'en', now = Date.now()): string {
  const at = new Date(iso)
  const today = new Date(now)
  const day = { month: 'short', day: 'numeric' } as const
  const isThisYear = at.getFullYear() === today.getFullYear()
  const date =
    at.toDateString() === today.toDateString()
      ? {}
      : isThisYear
        ? day
        : ({ year: 'numeric', ...day } as const)
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat(locale, { ...date, ...time }).format(at)
}

export function zoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Shortens an id to its prefix, four characters and the last six. Ids begin with the time, so the end tells them apart. */
export function shortId(id: string): string {
  return id.length > 18 ? `${id.slice(0, id.indexOf('_') + 5)}…${id.slice(-6)}` : id
}
