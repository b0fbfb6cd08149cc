import type { Micros } from '../../domain/billing/micros.ts'

const MICROS_PER_DOLLAR = 1_000_000

/** Dollars for people, to the cent or as exactly as needed. Whole numbers only on the way. */
export function formatUsd(amount: Micros): string {
  const sign = amount < 0 ? '-' : ''
  const whole = Math.trunc(Math.abs(amount) / MICROS_PER_DOLLAR)
  const fraction = String(Math.abs(amount) % MICROS_PER_DOLLAR).padStart(6, '0')
  return `${sign}${whole}.${fraction.replace(/0{1,4}$/, '')} USD`
}
