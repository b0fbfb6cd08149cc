import { Option } from 'commander'
import { OPERATOR } from '../../../app/views/tenants.ts'
import { presentTime } from '../../../app/views/times.ts'
import { type OperatorAccount, ROLES, type Role } from '../../../domain/access/operator-account.ts'
import { parseName } from '../../parse/options.ts'
import type { Verb } from '../../verb.ts'
import { forAll, forOne, listing } from '../define-verb.ts'

export const operatorCreate: Verb = {
  path: 'operator create',
  summary:
    'Make a token of the admin API for an operator. viewer reads; operator does all but operators, prices, erasing and negative credit; owner does all. The token is shown this once.',
  example: 'sluice operator create --name ana --role operator',
  next: "curl http://127.0.0.1:8080/admin/v1/organizations -H 'X-Admin-Key: <token>'",
  define(command, { operate, print }) {
    command
      .requiredOption('--name <name>', 'what the audit log calls this operator', parseName)
      .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
      .action(({ name, role }: { name: string; role: Role }) =>
        operate(async (operator) => {
          const { account, token } = await operator.createOperator({ name, role })
          print({
            json: { ...OPERATOR.present(account), token },
            text: `Made the operator ${account.id}. Keep the token now, it is not shown again:\n\n  ${token}\n\nIt goes into the header X-Admin-Key. The server needs ADMIN_API_KEY, or it has no admin API.`,
          })
        }),
      )
  },
}

/** Page size above any real number of operators; the admin API has pages. */
const LIMIT = 1_000

export const operatorList: Verb = {
  path: 'operator list',
  summary: 'List the operators, the newest first, revoked ones too.',
  example: 'sluice operator list',
  next: 'sluice operator revoke <id>',
  define: forAll(async (operator) => {
    const accounts = await operator.pages.operators({ limit: LIMIT })
    const none = 'There is no operator yet: only the holder of ADMIN_API_KEY can use the admin API.'
    return listing(accounts, { json: OPERATOR.present, cells: rowOf, none })
  }),
}

function rowOf(account: OperatorAccount): Record<string, string> {
  return {
    ID: account.id,
    NAME: account.name,
    ROLE: account.role,
    PREFIX: account.prefix,
    CREATED: presentTime(account.createdAtMs),
    REVOKED: account.revokedAtMs === null ? '-' : presentTime(account.revokedAtMs),
  }
}

export const operatorRevoke: Verb = {
  path: 'operator revoke',
  summary: "End an operator's token for good. It is refused at once.",
  example: 'sluice operator revoke opr_019a2b3c',
  next: 'sluice operator create --name <name> --role <role>   for a successor',
  define: forOne('<id>', 'the operator, by its id', async (operator, id) => {
    const account = await operator.revokeOperator(id)
    return {
      json: OPERATOR.present(account),
      text: `The token of ${account.name} (${account.prefix}...) is revoked.`,
    }
  }),
}
