import { present } from '../../../app/views/present.ts'
import { OPERATOR } from '../../../app/views/tenants.ts'
import type { Verb } from '../../verb.ts'

export const operatorRevoke: Verb = {
  path: 'operator revoke',
  usage: '<id> [--json]',
  summary: "End an operator's token for good. It is refused at once.",
  example: 'sluice operator revoke opr_019a2b3c',
  next: 'sluice operator create --name <name> --role <role>   for a successor',
  json: true,
  define(command, { operate, print }) {
    command.argument('<id>', 'the operator, by its id').action((id: string) =>
      operate(async (operator) => {
        const account = await operator.revokeOperator(id)
        print({
          json: present(OPERATOR, account),
          text: `The token of ${account.name} (${account.prefix}...) is revoked.`,
        })
      }),
    )
  },
}
