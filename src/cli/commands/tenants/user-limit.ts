import { Option } from 'commander'
import { userJson } from '../../../app/views/tenants.ts'
import { parseUsd } from '../../parse/options.ts'
import { describeLimit } from '../../present/present-tenants.ts'
import type { Verb } from '../../verb.ts'

interface UserLimitOptions {
  dailyUsd: string
  enable?: true
  disable?: true
}

export const userLimit: Verb = {
  path: 'user limit',
  usage: '<id> --daily-usd <usd> (--enable | --disable) [--json]',
  summary: 'Set what a user may spend a day, and whether that holds. The day is that of QUOTA_TIMEZONE.',
  example: 'sluice user limit usr_019a2b3c --daily-usd 5 --enable',
  next: 'nothing: a running server sees it within 5 seconds',
  json: true,
  define(command, { operate, print }) {
    command
      .argument('<id>', 'the user')
      .requiredOption('--daily-usd <usd>', 'US dollars a day, such as 5 or 0.25', parseUsd)
      .addOption(new Option('--enable', 'hold the user to it').conflicts('disable'))
      .option('--disable', 'keep the figure, and let the user spend beyond it')
      .action(async (id: string, { dailyUsd, enable, disable }: UserLimitOptions) => {
        if (!enable && !disable) command.error('say whether the limit holds: --enable or --disable')
        if (enable && dailyUsd === '0') command.error('a limit that is enabled must be above 0')
        await operate(async (operator) => {
          const user = await operator.setUserLimit({
            id,
            maxDailyUserLimit: dailyUsd,
            enableLimit: enable === true,
          })
          print({
            json: userJson(user),
            text: `The daily limit of ${user.id} is now: ${describeLimit(user)}.`,
          })
        })
      })
  },
}
