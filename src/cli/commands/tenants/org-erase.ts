import { erasedJson, filesJson } from '../../../app/views/erasures.ts'
import type { Organization } from '../../../domain/access/organization.ts'
import { describeFiles } from '../../present/describe-files.ts'
import { formatUsd } from '../../present/formats.ts'
import type { Verb } from '../../verb.ts'
import { type EraseOptions, eraseGuard, YES_OPTION } from './confirm-erase.ts'

export const orgErase: Verb = {
  path: 'org erase',
  summary:
    'Erase an organization: its names, assets, people and kept replies are gone, its keys are revoked. The ledger stays, under ids. This cannot be undone.',
  example: 'sluice org erase org_019a2b3c',
  next: "remove the vendor's copies that the report lists under to_remove_by_hand",
  define(command, { operate, print, ask }) {
    command
      .argument('<id>', 'the organization')
      .option(...YES_OPTION)
      .action(async (id: string, options: EraseOptions) => {
        const confirm = eraseGuard(id, options, ask)
        await operate(async (operator) => {
          const organization = await operator.showOrganization(id)
          await confirm({
            kind: 'organization',
            name: organization.name,
            parts: 'its names, assets, people, kept replies and keys',
          })
          const { groups, files } = await operator.eraseOrganization(id)
          const copies = (isQueued: boolean) =>
            groups
              .filter((group) => group.isQueued === isQueued)
              .flatMap(({ assets, isShared, groupTicket }) => [
                ...assets.map(({ ticket }) => ticket),
                ...(isShared ? [] : [groupTicket]),
              ])
          const removing = copies(true)
          print({
            json: { id, erased: true, groups: groups.map(erasedJson), files: filesJson(files) },
            text: [
              `Erased the organization ${id}. Its keys stop working everywhere within 5 seconds.`,
              ...(removing.length > 0
                ? [`A running gateway asks the vendor to delete its copies: ${removing.join(', ')}`]
                : []),
              ...describeFiles(files),
              `Remove by hand at the vendor: ${copies(false).join(', ') || 'nothing'}`,
              describeRest(organization),
            ].join('\n'),
          })
        })
      })
  },
}

function describeRest({ balanceMicros, heldMicros }: Organization): string {
  const held = heldMicros === 0 ? '' : `, of which running tasks hold ${formatUsd(heldMicros)}`
  return `What is left, under ids without names: usage, receipts, tasks, the audit, and its ledger with a balance of ${formatUsd(balanceMicros)}${held}.`
}

export const userErase: Verb = {
  path: 'user erase',
  summary:
    'Erase a user: the name is gone, and the keys are revoked. Usage and ledger stay, under ids. This cannot be undone.',
  example: 'sluice user erase usr_019a2b3c',
  next: 'sluice user list --org <id>',
  define(command, { operate, print, ask }) {
    command
      .argument('<id>', 'the user')
      .option(...YES_OPTION)
      .action(async (id: string, options: EraseOptions) => {
        const confirm = eraseGuard(id, options, ask)
        await operate(async (operator) => {
          const { name } = await operator.showUser(id)
          await confirm({ kind: 'user', name, parts: 'the name, and revokes the keys' })
          const { organizationId } = await operator.eraseUser(id)
          print({
            json: { id, organization_id: organizationId, erased: true },
            text: [
              `Erased the user ${id}. The keys of this user stop working everywhere within 5 seconds.`,
              `What is left, under ids without names: usage, ledger, receipts, tasks and the audit, and what the user made, which belongs to ${organizationId}.`,
            ].join('\n'),
          })
        })
      })
  },
}
