import { userJson } from '../../../app/views/tenants.ts'
import type { Verb } from '../../verb.ts'

export const userDisable: Verb = {
  path: 'user disable',
  usage: '<id> [--json]',
  summary:
    'Stop a user: within 5 seconds all keys of the user get 403 user_disabled, and running streams end.',
  example: 'sluice user disable usr_019a2b3c',
  next: 'sluice user enable <id>   lets the user call again; keys and limits stay as they are',
  json: true,
  define(command, { operate, print }) {
    command.argument('<id>', 'the user').action((id: string) =>
      operate(async (operator) => {
        const user = await operator.disableUser(id)
        print({
          json: userJson(user),
          text: `The user ${id} is disabled. The keys of this user stop working everywhere within 5 seconds.`,
        })
      }),
    )
  },
}

export const userEnable: Verb = {
  path: 'user enable',
  usage: '<id> [--json]',
  summary: 'Let a disabled user call again.',
  example: 'sluice user enable usr_019a2b3c',
  next: 'sluice user list --org <id>',
  json: true,
  define(command, { operate, print }) {
    command.argument('<id>', 'the user').action((id: string) =>
      operate(async (operator) => {
        const user = await operator.enableUser(id)
        print({
          json: userJson(user),
          text: `The user ${id} is enabled. The keys of this user work again within 5 seconds.`,
        })
      }),
    )
  },
}
