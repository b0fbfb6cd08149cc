import { present } from '../../../app/views/present.ts'
import { KEY_BUDGET } from '../../../app/views/tenants.ts'
import type { Micros } from '../../../domain/billing/micros.ts'
import { parseBudget } from '../../parse/options.ts'
import { describeKeyBudget } from '../../present/present-tenants.ts'
import type { Verb } from '../../verb.ts'

export const keyBudget: Verb = {
  path: 'key budget',
  usage: '<id> [--monthly-usd <usd> | --monthly-usd none] [--json]',
  summary:
    'Set what an API key may spend in a calendar month (QUOTA_TIMEZONE), or show it. Beyond it: 429 budget_exceeded. What is held counts, refunds lower it.',
  example: 'sluice key budget key_019a2b3c --monthly-usd 20',
  next: 'the budget of its organization holds beside it: sluice org budget ID',
  json: true,
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
          print({ json: present(KEY_BUDGET, budget), text: describeKeyBudget(budget) })
        }),
      )
  },
}
