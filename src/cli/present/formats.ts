import type { Micros } from '../../domain/billing/micros.ts'

const MICROS_PER_DOLLAR = 1_000_000

/** Formats dollars with two to six decimals, as needed. Computes with whole numbers only. */
export function formatUsd(amount: Micros): string {
  const sign = amount < 0 ? '-' : ''
  const whole = Math.trunc(Math.abs(amount) / MICROS_PER_DOLLAR)
  const fraction = String(Math.abs(amount) % MICROS_PER_DOLLAR).padStart(6, '0')
  return `${sign}${whole}.${fraction.replace(/0{1,4}$/, '')} USD`
}

const UNITS = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
] as const

/** Formats a duration in its two largest units: `1 d 4 h`, `2 min 5 s`, `0 s`. */
export function formatDuration(spanMs: number): string {
  let rest = Math.floor(Math.max(0, spanMs) / 1_000)
  const parts = UNITS.map(({ name, seconds }) => {
    const count = Math.floor(rest / seconds)
    rest -= count * seconds
    return { name, count }
  })
  const first = parts.findIndex(({ count }) => count > 0)
  if (first === -1) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${count} ${name}`)
    .join(' ')
}
