import { erasedJson } from '../../../app/views/erasures.ts'
import type { Verb } from '../../verb.ts'

export const orgErase: Verb = {
  path: 'org erase',
  usage: '<id> [--json]',
  summary:
    'Erase an organization: its names, assets, people and kept replies are gone, its keys are revoked. The ledger stays, under ids. This cannot be undone.',
  example: 'sluice org erase org_019a2b3c --json',
  next: "remove the vendor's copies that the receipt lists under to_remove_by_hand",
  json: true,
  define(command, { operate, print }) {
    command.argument('<id>', 'the organization').action((id: string) =>
      operate(async (operator) => {
        const { groups } = await operator.eraseOrganization(id)
        const copies = (isQueued: boolean) =>
          groups
            .filter((group) => group.isQueued === isQueued)
            .flatMap(({ assets, isShared, groupTicket }) => [
              ...assets.map(({ ticket }) => ticket),
              ...(isShared ? [] : [groupTicket]),
            ])
        const removing = copies(true)
        print({
          json: { id, erased: true, groups: groups.map(erasedJson) },
          text: [
            `Erased the organization ${id}. Its keys stop working everywhere within 5 seconds.`,
            ...(removing.length > 0
              ? [`A running gateway has the vendor remove its copies: ${removing.join(', ')}`]
              : []),
            `Remove by hand at the vendor: ${copies(false).join(', ') || 'nothing'}`,
          ].join('\n'),
        })
      }),
    )
  },
}

export const userErase: Verb = {
  path: 'user erase',
  usage: '<id> [--json]',
  summary:
    'Erase a user: the name is gone, and the keys are revoked. Usage and ledger stay, under ids. This cannot be undone.',
  example: 'sluice user erase usr_019a2b3c --json',
  next: 'sluice user list --org <id>',
  json: true,
  define(command, { operate, print }) {
    command.argument('<id>', 'the user').action((id: string) =>
      operate(async (operator) => {
        const { organizationId } = await operator.eraseUser(id)
        print({
          json: { id, organization_id: organizationId, erased: true },
          text: `Erased the user ${id}. The keys of this user stop working everywhere within 5 seconds.`,
        })
      }),
    )
  },
}
