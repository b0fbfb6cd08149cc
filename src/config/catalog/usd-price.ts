import type { Micros } from '../../domain/billing/micros.ts'
import { parseUsdMicros } from '../../domain/billing/usd.ts'
import type { Kind } from '../kinds/kind.ts'

const DOLLARS_MAX = 1_000_000
const MICROS_MAX = DOLLARS_MAX * 1_000_000

/** A price in dollars, exact to the millionth. YAML lets a decimal begin with its point. */
export const usdPrice: Kind<Micros> = {
  takes: `US dollars from 0 to ${DOLLARS_MAX} with at most 6 decimals, such as 7 or 0.14`,
  secret: false,
  parse(text) {
    if (text.startsWith('-')) return { wrong: 'is below 0' }
    const decimal = text.startsWith('.') ? `0${text}` : text
    if (!/^\d+(\.\d+)?$/.test(decimal)) return { wrong: 'is not a plain decimal' }
    if (/\.\d{6}\d*[1-9]/.test(decimal)) return { wrong: 'has more than 6 decimals' }
    const value = parseUsdMicros(decimal)
    if (value === undefined || value > MICROS_MAX) return { wrong: `is above ${DOLLARS_MAX}` }
    return { value }
  },
}

const FACTOR_MAX = 100

/** A number that multiplies prices, in millionths. */
export const factor: Kind<Micros> = {
  takes: `a number from 0 to ${FACTOR_MAX} with at most 6 decimals, such as 2 or 1.75`,
  secret: false,
  parse(text) {
    const parsed = usdPrice.parse(text)
    if ('value' in parsed && parsed.value > FACTOR_MAX * 1_000_000) return { wrong: `is above ${FACTOR_MAX}` }
    return parsed
  },
}
