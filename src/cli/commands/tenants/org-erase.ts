import { erasedJson } from '../../../app/views/erasures.ts'
import type { Organization } from '../../../domain/access/organization.ts'
import { NotConfirmed } from '../../errors.ts'
import { oneLine } from '../../present/format-table.ts'
import { formatUsd } from '../../present/formats.ts'
import type { Session, Verb } from '../../verb.ts'

export const orgErase: Verb = {
  path: 'org erase',
  usage: '<id> [--yes] [--json]',
  summary:
    'Erase an organization: its names, assets, people and kept replies are gone, its keys are revoked. The ledger stays, under ids. This cannot be undone.',
  example: 'sluice org erase org_019a2b3c',
  next: "remove the vendor's copies that the report lists under to_remove_by_hand",
  json: true,
  define(command, { operate, print, ask }) {
    command
      .argument('<id>', 'the organization')
      .option('--yes', 'erase it without a question; needed without a terminal, unless --json is given')
      .action(async (id: string, { yes, json }: { yes?: boolean; json?: boolean }) => {
        const mustAsk = yes !== true && json !== true
        if (mustAsk && ask === undefined)
          throw new NotConfirmed(
            `Erasing ${id} cannot be undone, and there is no terminal to ask. Confirm it with --yes.`,
          )
        await operate(async (operator) => {
          const organization = await operator.showOrganization(id)
          if (mustAsk) await confirm(organization, ask)
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
                ? [`A running gateway asks the vendor to delete its copies: ${removing.join(', ')}`]
                : []),
              `Remove by hand at the vendor: ${copies(false).join(', ') || 'nothing'}`,
              describeRest(organization),
            ].join('\n'),
          })
        })
      })
  },
}

async function confirm({ id, name }: Organization, ask: Session['ask']): Promise<void> {
  const title = name === '' ? id : `${id} (${oneLine(name)})`
  const typed = await ask?.(
    `This erases ${title} with its names, assets, people, kept replies and keys. It cannot be undone.\nType the id${name === '' ? '' : ' or the name'} of the organization to erase it: `,
  )
  const isMeant = typed === id || (name !== '' && typed === name)
  if (!isMeant) throw new NotConfirmed('That is not its id or name: nothing was erased.')
}

function describeRest({ balanceMicros, heldMicros }: Organization): string {
  const held = heldMicros === 0 ? '' : `, of which running tasks hold ${formatUsd(heldMicros)}`
  return `What is left, under ids without names: its ledger with a balance of ${formatUsd(balanceMicros)}${held}, usage, receipts, tasks and the audit.`
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
