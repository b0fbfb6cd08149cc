import { Option } from 'commander'
import { USER } from '../../../app/views/tenants.ts'
import { parseName, parseUsd } from '../../parse/options.ts'
import { describeLimit, userRow } from '../../present/present-tenants.ts'
import type { Verb } from '../../verb.ts'
import { forOne, forOrganization, listing } from '../define-verb.ts'

export const userCreate: Verb = {
  path: 'user create',
  summary: 'Make a user: a person or program of an organization, with a daily limit if you set one.',
  example: 'sluice user create --org org_019a2b3c --name "Render farm"',
  next: 'sluice key create --org <id> --user <id>',
  define(command, { operate, print }) {
    command
      .requiredOption('--org <id>', 'the organization it belongs to')
      .option('--name <name>', 'its name, for people', parseName)
      .action(({ org, name }: { org: string; name?: string }) =>
        operate(async (operator) => {
          const user = await operator.createUser({ organizationId: org, name: name ?? '' })
          print({
            json: USER.present(user),
            text: `Made the user ${user.id}.\nNext: sluice key create --org ${user.organizationId} --user ${user.id}`,
          })
        }),
      )
  },
}

export const userList: Verb = {
  path: 'user list',
  summary: 'List the users of an organization with their daily limits.',
  example: 'sluice user list --org org_019a2b3c',
  next: 'sluice user limit <id> --daily-usd 5 --enable',
  define: forOrganization(async (operator, org) => {
    const none = `No user yet. Make one: sluice user create --org ${org}`
    return listing(await operator.listUsers(org), { json: USER.present, cells: userRow, none })
  }),
}

interface UserLimitOptions {
  dailyUsd: string
  enable?: true
  disable?: true
}

export const userLimit: Verb = {
  path: 'user limit',
  usage: '<id> --daily-usd <usd> (--enable | --disable) [--json]',
  summary:
    'Set what a user may spend a day, and whether this limit is enforced. The day is that of QUOTA_TIMEZONE.',
  example: 'sluice user limit usr_019a2b3c --daily-usd 5 --enable',
  next: 'nothing: a running server sees it within 5 seconds',
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
            json: USER.present(user),
            text: `The daily limit of ${user.id} is now: ${describeLimit(user)}.`,
          })
        })
      })
  },
}

export const userDisable: Verb = {
  path: 'user disable',
  summary: 'Stop a user: within 5 seconds all its keys get 403 user_disabled, and running streams end.',
  example: 'sluice user disable usr_019a2b3c',
  next: 'sluice user enable <id>   lets the user call again; keys and limits stay as they are',
  define: forOne('<id>', 'the user', async (operator, id) => {
    const user = await operator.disableUser(id)
    return {
      json: USER.present(user),
      text: `The user ${id} is disabled. The keys of this user stop working everywhere within 5 seconds.`,
    }
  }),
}

export const userEnable: Verb = {
  path: 'user enable',
  summary: 'Let a disabled user call again.',
  example: 'sluice user enable usr_019a2b3c',
  next: 'sluice user list --org <id>',
  define: forOne('<id>', 'the user', async (operator, id) => {
    const user = await operator.enableUser(id)
    return {
      json: USER.present(user),
      text: `The user ${id} is enabled. The keys of this user work again within 5 seconds.`,
    }
  }),
}
