import { present } from '../../../app/views/present.ts'
import { OPERATOR } from '../../../app/views/tenants.ts'
import { presentTime } from '../../../app/views/times.ts'
import type { OperatorAccount } from '../../../domain/access/operator-account.ts'
import { formatTable } from '../../present/format-table.ts'
import type { Verb } from '../../verb.ts'

/** More operators than a list for people can hold; the admin API has pages. */
const LIMIT = 1_000

export const operatorList: Verb = {
  path: 'operator list',
  usage: '[--json]',
  summary: 'List the operators, the newest first, revoked ones too.',
  example: 'sluice operator list',
  next: 'sluice operator revoke <id>',
  json: true,
  define(command, { operate, print }) {
    command.action(() =>
      operate(async (operator) => {
        const accounts = await operator.pages.operators({ limit: LIMIT })
        print({
          json: accounts.map((row) => present(OPERATOR, row)),
          text: formatTable(accounts.map(rowOf), {
            none: 'There is no operator yet: only the holder of ADMIN_API_KEY can use the admin API.',
          }),
        })
      }),
    )
  },
}

function rowOf({
  id,
  name,
  role,
  prefix,
  createdAtMs,
  revokedAtMs,
}: OperatorAccount): Record<string, string> {
  return {
    ID: id,
    NAME: name,
    ROLE: role,
    PREFIX: prefix,
    CREATED: presentTime(createdAtMs),
    REVOKED: revokedAtMs === null ? '-' : presentTime(revokedAtMs),
  }
}
