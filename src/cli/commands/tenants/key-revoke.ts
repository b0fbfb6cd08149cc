import { present } from '../../../app/views/present.ts'
import { KEY } from '../../../app/views/tenants.ts'
import type { Verb } from '../../verb.ts'

export const keyRevoke: Verb = {
  path: 'key revoke',
  usage: '<id> [--json]',
  summary: 'End a key for good. Every replica refuses it within 5 seconds.',
  example: 'sluice key revoke key_019a2b3c',
  next: 'sluice key create --org <id> --user <id>   for its successor',
  json: true,
  define(command, { operate, print }) {
    command.argument('<id>', 'the key, by its id, not by its text').action((id: string) =>
      operate(async (operator) => {
        const apiKey = await operator.revokeKey(id)
        print({
          json: present(KEY, apiKey),
          text: `The key ${apiKey.id} (${apiKey.prefix}...) is revoked. It stops working everywhere within 5 seconds.`,
        })
      }),
    )
  },
}
