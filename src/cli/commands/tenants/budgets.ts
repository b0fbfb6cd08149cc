import { BUDGET, KEY_BUDGET } from '../../../app/views/tenants.ts'
import type { Micros } from '../../../domain/billing/micros.ts'
import { parseBudget, parsePercent } from '../../parse/options.ts'
import { describeBudget, describeKeyBudget } from '../../present/present-tenants.ts'
import type { Verb } from '../../verb.ts'

const WARN_PERCENT = 80

interface OrgBudgetOptions {
  monthlyUsd?: Micros | 'none'
  warnAt?: number
}

export const orgBudget: Verb = {
  path: 'org budget',
  usage: '<id> [--monthly-usd <usd> | --monthly-usd none] [--warn-at <percent>] [--json]',
  summary:
    'Set what an organization may spend in a calendar month (QUOTA_TIMEZONE), or show it. Beyond it: 429 budget_exceeded. What is held counts, refunds lower it.',
  example: 'sluice org budget org_019a2b3c --monthly-usd 500 --warn-at 80',
  next: 'at the threshold the log says budget.threshold_reached, and sluice_budget_warnings_total grows',
  define(command, { operate, print }) {
    command
      .argument('<id>', 'the organization')
      .option('--monthly-usd <usd>', 'US dollars a month; none: no budget', parseBudget)
      .option('--warn-at <percent>', 'the share of the budget to warn at, 80 when left out', parsePercent)
      .action(async (id: string, { monthlyUsd, warnAt }: OrgBudgetOptions) => {
        if (monthlyUsd === undefined && warnAt !== undefined)
          command.error('say how much: --monthly-usd beside --warn-at')
        await operate(async (operator) => {
          const budget =
            monthlyUsd === undefined
              ? await operator.showBudget(id)
              : await operator.setBudget({
                  id,
                  monthlyBudgetMicros: monthlyUsd === 'none' ? null : monthlyUsd,
                  warnPercent: monthlyUsd === 'none' ? null : (warnAt ?? WARN_PERCENT),
                })
          print({ json: BUDGET.present(budget), text: describeBudget(budget) })
        })
      })
  },
}

export const keyBudget: Verb = {
  path: 'key budget',
  usage: '<id> [--monthly-usd <usd> | --monthly-usd none] [--json]',
  summary:
    'Set what an API key may spend in a calendar month (QUOTA_TIMEZONE), or show it. Beyond it: 429 budget_exceeded. What is held counts, refunds lower it.',
  example: 'sluice key budget key_019a2b3c --monthly-usd 20',
  next: 'the budget of its organization applies too: sluice org budget ID',
  define(command, { operate, print }) {
    command
      .argument('<id>', 'the key')
      .option('--monthly-usd <usd>', 'US dollars a month; none: no budget of its own', parseBudget)
      .action((id: string, { monthlyUsd }: { monthlyUsd?: Micros | 'none' }) =>
        operate(async (operator) => {
          const budget =
            monthlyUsd === undefined
              ? await operator.showKeyBudget(id)
              : await operator.setKeyBudget({
                  id,
                  monthlyBudgetMicros: monthlyUsd === 'none' ? null : monthlyUsd,
                })
          print({ json: KEY_BUDGET.present(budget), text: describeKeyBudget(budget) })
        }),
      )
  },
}
