import { balanceIsTheSumOfEntries } from './balance-is-the-sum-of-entries.ts'
import { endedTasksHaveTheirCallback } from './ended-tasks-have-their-callback.ts'
import { heldIsTheSumOfOpenHolds } from './held-is-the-sum-of-open-holds.ts'
import { holdsEndByTheirDeadline } from './holds-end-by-their-deadline.ts'
import type { Invariant } from './invariant.ts'
import { prepaidCoversItsHolds } from './prepaid-covers-its-holds.ts'
import { tasksHaveOneEndOfTheirHold } from './tasks-have-one-end-of-their-hold.ts'
import { usageCostsItsLines } from './usage-costs-its-lines.ts'
import { usageHasItsEntry } from './usage-has-its-entry.ts'

/** In the order of their numbers: the first is 1. */
export const INVARIANTS: readonly Invariant[] = [
  balanceIsTheSumOfEntries,
  heldIsTheSumOfOpenHolds,
  prepaidCoversItsHolds,
  tasksHaveOneEndOfTheirHold,
  endedTasksHaveTheirCallback,
  holdsEndByTheirDeadline,
  usageHasItsEntry,
  usageCostsItsLines,
]
