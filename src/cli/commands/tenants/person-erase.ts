import { erasedJson, personJson } from '../../../app/views/erasures.ts'
import { counted } from '../../../domain/counted.ts'
import type { Verb } from '../../verb.ts'

export const personShow: Verb = {
  path: 'person show',
  usage: '<group id> --org <id> [--json]',
  summary:
    'Show a verified person of an organization, with the portraits that were uploaded, and the link where the person can take the consent back.',
  example: 'sluice person show group_019a2b3c --org org_019a2b3c',
  next: 'sluice person erase <group id> --org <id>',
  json: true,
  define(command, { operate, print }) {
    command
      .argument('<group id>', 'the group_id of the person')
      .requiredOption('--org <id>', 'the organization')
      .action((groupId: string, { org }: { org: string }) =>
        operate(async (operator) => {
          const person = await operator.showPerson({ groupId, organizationId: org })
          const assets = person.assets.map(({ id, type, status }) => `\n  ${id}  ${type}  ${status}`).join('')
          print({
            json: personJson(person),
            text: `The person ${groupId} of ${org} at ${person.provider} has ${counted(person.assets.length, 'asset')}.${assets}\nThe person can take the consent back at ${person.consentUrl}`,
          })
        }),
      )
  },
}

export const personErase: Verb = {
  path: 'person erase',
  usage: '<group id> --org <id> [--json]',
  summary:
    'Erase a verified person of an organization: group, portraits and verification are gone here, and later tasks cannot use them. The receipt lists what the vendor still has.',
  example: 'sluice person erase group_019a2b3c --org org_019a2b3c --json',
  next: "remove the vendor's copies that the receipt lists under to_remove_by_hand",
  json: true,
  define(command, { operate, print }) {
    command
      .argument('<group id>', 'the group_id of the person')
      .requiredOption('--org <id>', 'the organization')
      .action((groupId: string, { org }: { org: string }) =>
        operate(async (operator) => {
          const erased = await operator.erasePerson({ groupId, organizationId: org })
          const tickets = [...erased.assets.map(({ ticket }) => ticket)]
          if (!erased.isShared) tickets.push(erased.groupTicket)
          print({
            json: erasedJson(erased),
            text: [
              `Erased the person ${groupId} of ${org} with ${counted(erased.assets.length, 'asset')}.`,
              erased.isQueued
                ? `A running gateway has ${erased.provider} remove its copies: ${tickets.join(', ') || 'none'}`
                : `Remove by hand at ${erased.provider}: ${tickets.join(', ') || 'nothing'}`,
            ].join('\n'),
          })
        }),
      )
  },
}
