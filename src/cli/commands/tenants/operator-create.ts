import { Option } from 'commander'
import { present } from '../../../app/views/present.ts'
import { OPERATOR } from '../../../app/views/tenants.ts'
import { ROLES, type Role } from '../../../domain/access/operator-account.ts'
import { parseName } from '../../parse/options.ts'
import type { Verb } from '../../verb.ts'

export const operatorCreate: Verb = {
  path: 'operator create',
  usage: '--name <name> --role <role> [--json]',
  summary:
    'Make a token of the admin API for an operator. viewer reads; operator does all but operators, prices, erasing and negative credit; owner does all. The token is shown this once.',
  example: 'sluice operator create --name ana --role operator',
  next: "curl http://127.0.0.1:8080/admin/v1/organizations -H 'X-Admin-Key: <token>'",
  json: true,
  define(command, { operate, print }) {
    command
      .requiredOption('--name <name>', 'what the audit log calls this operator', parseName)
      .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
      .action(({ name, role }: { name: string; role: Role }) =>
        operate(async (operator) => {
          const { account, token } = await operator.createOperator({ name, role })
          print({
            json: { ...present(OPERATOR, account), token },
            text: `Made the operator ${account.id}. Keep the token now, it is not shown again:\n\n  ${token}\n\nIt goes into the header X-Admin-Key. The server needs ADMIN_API_KEY, or it has no admin API.`,
          })
        }),
      )
  },
}
