import type { Organization } from '../../domain/access/organization.ts'
import { micros } from '../../domain/billing/micros.ts'
import { formatUsd } from './format-usd.ts'

export function creditJson({ id, balanceMicros, heldMicros }: Organization) {
  return { organization_id: id, balance_micros: balanceMicros, held_micros: heldMicros }
}

/** Who pays later may spend beyond the balance, so only the others are told what is left. */
export function describeCredit({ id, billing, balanceMicros, heldMicros }: Organization): string {
  const [balance, held] = [formatUsd(balanceMicros), formatUsd(heldMicros)]
  const start = `The balance of ${id} is ${balance}, of which ${held} is held`
  if (billing === 'postpaid') return `${start}. It pays later: below zero is what it owes.`
  return `${start}; ${formatUsd(micros(balanceMicros - heldMicros))} can be spent.`
}
