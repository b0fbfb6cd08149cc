import { balanceIsTheSumOfEntries } from './balance-is-the-sum-of-entries.ts'
import { closedDaysAreTheSumOfTheirRollups } from './closed-days-are-the-sum-of-their-rollups.ts'
import { daysAreTheSumOfTheirParts } from './days-are-the-sum-of-their-parts.ts'
import { endedTasksHaveTheirCallback } from './ended-tasks-have-their-callback.ts'
import { givenMoneyHasItsAudit } from './given-money-has-its-audit.ts'
import { heldIsTheSumOfOpenHolds } from './held-is-the-sum-of-open-holds.ts'
import { holdsEndByTheirDeadline } from './holds-end-by-their-deadline.ts'
import type { Invariant } from './invariant.ts'
import { monthsAreTheSumOfTheirCharges } from './months-are-the-sum-of-their-charges.ts'
import { prepaidCoversItsHolds } from './prepaid-covers-its-holds.ts'
import { refundsAreAtMostTheirCharge } from './refunds-are-at-most-their-charge.ts'
import { rollupsAreTheSumOfTheirRows } from './rollups-are-the-sum-of-their-rows.ts'
import { rollupsCostTheirEntries } from './rollups-cost-their-entries.ts'
import { settlementsEqualTheirCost } from './settlements-equal-their-cost.ts'
import { succeededTasksAreSettled } from './succeeded-tasks-are-settled.ts'
import { tasksHaveOneEndOfTheirHold } from './tasks-have-one-end-of-their-hold.ts'
import { usageCostsItsLines } from './usage-costs-its-lines.ts'
import { usageHasItsEntry } from './usage-has-its-entry.ts'

/** Invariants by number, beginning with 1. One number may have several queries. */
export const INVARIANTS: readonly (readonly Invariant[])[] = [
  [balanceIsTheSumOfEntries],
  [heldIsTheSumOfOpenHolds],
  [prepaidCoversItsHolds],
  tasksHaveOneEndOfTheirHold,
  [endedTasksHaveTheirCallback],
  [holdsEndByTheirDeadline],
  usageHasItsEntry,
  [settlementsEqualTheirCost, usageCostsItsLines],
  refundsAreAtMostTheirCharge,
  [succeededTasksAreSettled],
  [daysAreTheSumOfTheirParts],
  [givenMoneyHasItsAudit],
  [rollupsAreTheSumOfTheirRows, closedDaysAreTheSumOfTheirRollups],
  [rollupsCostTheirEntries],
  [monthsAreTheSumOfTheirCharges],
]
