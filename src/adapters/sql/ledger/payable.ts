/** How much of a cost a balance pays at once: all of it postpaid, prepaid only what is not held for others. */
export function payable(
  cost: number,
  organization: { billing: string; balance_micros: number; held_micros: number },
): number {
  if (organization.billing === 'postpaid') return cost
  return Math.min(cost, organization.balance_micros - organization.held_micros)
}
