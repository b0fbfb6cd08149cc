import { GROUP } from '../../../app/views/assets.ts'
import { erasedJson, personJson } from '../../../app/views/erasures.ts'
import { presentTime } from '../../../app/views/times.ts'
import { counted } from '../../../domain/counted.ts'
import { describeFiles } from '../../present/describe-files.ts'
import type { Verb } from '../../verb.ts'
import { forOrganization, listing } from '../define-verb.ts'
import { type EraseOptions, eraseGuard, YES_OPTION } from './confirm-erase.ts'

const PAGE = 1_000

export const personList: Verb = {
  path: 'person list',
  summary: 'List the verified people of an organization, the newest first.',
  example: 'sluice person list --org org_019a2b3c',
  next: 'sluice person show <group id> --org <id>',
  define: forOrganization(async (operator, org) => {
    await operator.showOrganization(org)
    const people: Awaited<ReturnType<typeof operator.pages.groups>> = []
    for (let after: string | undefined; ; after = people.at(-1)?.id) {
      const page = await operator.pages.groups({ organizationId: org, kind: 'person', limit: PAGE, after })
      people.push(...page)
      if (page.length < PAGE) break
    }
    return listing(people, {
      json: GROUP.present,
      cells: ({ id, provider, createdAtMs }) => ({
        'GROUP ID': id,
        PROVIDER: provider,
        VERIFIED: presentTime(createdAtMs),
      }),
      none: 'No verified person yet. Clients begin with POST /v1/video/assets/sessions.',
    })
  }),
}

export const personShow: Verb = {
  path: 'person show',
  summary:
    'Show a verified person of an organization, with the portraits that were uploaded, and the link where the person can take the consent back.',
  example: 'sluice person show group_019a2b3c --org org_019a2b3c',
  next: 'sluice person erase <group id> --org <id>',
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
  summary:
    'Erase a verified person of an organization: group, assets and verification are gone here, and later tasks cannot use them. The report lists what the vendor still has.',
  example: 'sluice person erase group_019a2b3c --org org_019a2b3c',
  next: "remove the vendor's copies that the report lists under to_remove_by_hand",
  define(command, { operate, print, ask }) {
    command
      .argument('<group id>', 'the group_id of the person')
      .requiredOption('--org <id>', 'the organization')
      .option(...YES_OPTION)
      .action(async (groupId: string, { org, ...options }: EraseOptions & { org: string }) => {
        const confirm = eraseGuard(groupId, options, ask)
        await operate(async (operator) => {
          const { assets } = await operator.showPerson({ groupId, organizationId: org })
          await confirm({
            kind: 'person',
            name: '',
            parts: `${counted(assets.length, 'asset')} and the verification`,
          })
          const erased = await operator.erasePerson({ groupId, organizationId: org })
          const tickets = [...erased.assets.map(({ ticket }) => ticket)]
          if (!erased.isShared) tickets.push(erased.groupTicket)
          print({
            json: erasedJson(erased),
            text: [
              `Erased the person ${groupId} of ${org} with ${counted(erased.assets.length, 'asset')}.`,
              erased.isQueued
                ? `A running gateway asks ${erased.provider} to delete its copies: ${tickets.join(', ') || 'none'}`
                : `Remove by hand at ${erased.provider}: ${tickets.join(', ') || 'nothing'}`,
              ...describeFiles(erased.files),
              'What is left: the tasks and receipts of videos that were made with the person, and the audit.',
            ].join('\n'),
          })
        })
      })
  },
}
