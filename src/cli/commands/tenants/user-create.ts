import { userJson } from '../../../app/views/tenants.ts'
import { parseName } from '../../parse/options.ts'
import type { Verb } from '../../verb.ts'

export const userCreate: Verb = {
  path: 'user create',
  usage: '--org <id> [--name <name>] [--json]',
  summary:
    'Make a user: a person or program of an organization, with a daily limit of its own if you set one.',
  example: 'sluice user create --org org_019a2b3c --name "Render farm"',
  next: 'sluice key create --org <id> --user <id>',
  json: true,
  define(command, { operate, print }) {
    command
      .requiredOption('--org <id>', 'the organization it belongs to')
      .option('--name <name>', 'its name, for people', parseName)
      .action(({ org, name }: { org: string; name?: string }) =>
        operate(async (operator) => {
          const user = await operator.createUser({ organizationId: org, name: name ?? '' })
          print({
            json: userJson(user),
            text: `Made the user ${user.id}.\nNext: sluice key create --org ${user.organizationId} --user ${user.id}`,
          })
        }),
      )
  },
}
