import { type Micros, micros } from './micros.ts'

const MICROS_PER_DOLLAR = 1_000_000
const DECIMALS_MAX = 6

/**
 * Parses a decimal amount of dollars (`0.25`, `7`, `-1.5`) into whole micros, without a binary fraction. Returns undefined
 * when the text is not a plain decimal, has more than six significant places, or is too large.
 */
export function parseUsdMicros(text: string): Micros | undefined {
  const [, sign, dollars, places = ''] = /^(-?)(\d{1,16})(?:\.(\d{1,32}))?$/.exec(text) ?? []
  if (dollars === undefined) return undefined
  const fraction = places.replace(/0+$/, '')
  if (fraction.length > DECIMALS_MAX) return undefined
  const amount = Number(`${dollars}${fraction.padEnd(DECIMALS_MAX, '0')}`)
  if (!Number.isSafeInteger(amount)) return undefined
  return micros(sign === '-' && amount !== 0 ? -amount : amount)
}

/** The shortest decimal of the amount: 5_250_000 is `5.25`. */
export function formatUsdDecimal(amount: Micros): string {
  const sign = amount < 0 ? '-' : ''
  const whole = Math.trunc(Math.abs(amount) / MICROS_PER_DOLLAR)
  const fraction = String(Math.abs(amount) % MICROS_PER_DOLLAR)
    .padStart(DECIMALS_MAX, '0')
    .replace(/0+$/, '')
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

export function formatCostUsd(cost: Micros): string {
  return `${Math.trunc(cost / 1_000_000)}.${String(cost % 1_000_000).padStart(6, '0')}`
}
