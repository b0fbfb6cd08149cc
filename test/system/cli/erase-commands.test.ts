import { expect, test } from 'vitest'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const ERASED = {
  group_id: 'group_1',
  erased: true,
  assets: ['asset_1'],
  files: [{ task_id: 'task_1', sha256: 'ab'.repeat(32) }],
  removing: { provider: 'vendorA', asset_ids: [], group_id: null },
  to_remove_by_hand: { provider: 'vendorA', asset_ids: ['vendor-asset-1'], group_id: 'vendor-group-1' },
}
const ERASED_USER_TEXT = `Erased the user usr_1. The keys of this user stop working everywhere within 5 seconds.
What is left, under ids without names: usage, ledger, receipts, tasks and the audit, and what the user made, which belongs to org_1.
`

const PERSON_REST = `Erased copies of files: task_1 (${'ab'.repeat(32)})
What is left: the tasks and receipts of videos that were made with the person, and the audit.
`

const ERASED_TEXT = `Erased the organization org_1. Its keys stop working everywhere within 5 seconds.
Remove by hand at the vendor: vendor-asset-1, vendor-group-1
What is left, under ids without names: usage, receipts, tasks, the audit, and its ledger with a balance of 5.25 USD, of which running tasks hold 0.000001 USD.
`
const STORIES = [
  {
    line: ['person', 'list', '--org', 'org_1'],
    looksAt: [['showOrganization', 'org_1']],
    asks: ['pages.groups', { organizationId: 'org_1', kind: 'person', limit: 1_000, after: undefined }],
    json: [{ id: 'group_1', organization_id: 'org_1', provider: 'vendorA', upstream_id: 'vendor-group-1' }],
    text: 'GROUP ID  PROVIDER  VERIFIED\ngroup_1   vendorA   2026-01-02T03:04:05.000Z\n',
  },
  {
    line: ['person', 'show', 'group_1', '--org', 'org_1'],
    asks: ['showPerson', { groupId: 'group_1', organizationId: 'org_1' }],
    json: {
      ...{ group_id: 'group_1', organization_id: 'org_1', consent_url: 'https://gate.example/consent' },
      assets: [{ id: 'asset_1', asset_type: 'Image' }],
    },
    text: 'The person group_1 of org_1 at vendorA has 1 asset.\n  asset_1  Image  active\nThe person can take the consent back at https://gate.example/consent\n',
  },
  {
    line: ['person', 'erase', 'group_1', '--org', 'org_1', '--yes'],
    looksAt: [['showPerson', { groupId: 'group_1', organizationId: 'org_1' }]],
    asks: ['erasePerson', { groupId: 'group_1', organizationId: 'org_1' }],
    json: ERASED,
    text: `Erased the person group_1 of org_1 with 1 asset.\nRemove by hand at vendorA: vendor-asset-1, vendor-group-1\n${PERSON_REST}`,
  },
  {
    line: ['person', 'erase', 'group_2', '--org', 'org_1', '--yes'],
    looksAt: [['showPerson', { groupId: 'group_2', organizationId: 'org_1' }]],
    asks: ['erasePerson', { groupId: 'group_2', organizationId: 'org_1' }],
    json: { ...ERASED, to_remove_by_hand: { ...ERASED.to_remove_by_hand, group_id: null } },
    text: `Erased the person group_2 of org_1 with 1 asset.\nRemove by hand at vendorA: vendor-asset-1\n${PERSON_REST}`,
  },
  {
    line: ['person', 'erase', 'group_3', '--org', 'org_1', '--yes'],
    looksAt: [['showPerson', { groupId: 'group_3', organizationId: 'org_1' }]],
    asks: ['erasePerson', { groupId: 'group_3', organizationId: 'org_1' }],
    json: { ...ERASED, removing: ERASED.to_remove_by_hand, to_remove_by_hand: ERASED.removing },
    text: `Erased the person group_3 of org_1 with 1 asset.\nA running gateway asks vendorA to delete its copies: vendor-asset-1, vendor-group-1\n${PERSON_REST}`,
  },
  {
    line: ['org', 'erase', 'org_1', '--yes'],
    looksAt: [['showOrganization', 'org_1']],
    asks: ['eraseOrganization', 'org_1'],
    json: { id: 'org_1', erased: true, groups: [ERASED], files: [] },
    text: ERASED_TEXT,
  },
  {
    line: ['user', 'erase', 'usr_1', '--yes'],
    looksAt: [['showUser', 'usr_1']],
    asks: ['eraseUser', 'usr_1'],
    json: { id: 'usr_1', organization_id: 'org_1', erased: true },
    text: ERASED_USER_TEXT,
  },
]

test.each(STORIES)('$line, for people', async ({ line, looksAt = [], asks, text }) => {
  const { services, calls } = fakeServices()
  expect(await run(line, services)).toEqual({ exitCode: 0, result: text, notice: '' })
  expect(calls).toEqual(['open', ...looksAt, asks, 'close'])
})

test.each(STORIES)('$line --json prints one value, asks nothing', async ({ line, json }) => {
  const { services } = fakeServices()
  const { exitCode, result, notice } = await run([...line, '--json'], services)
  expect({ exitCode, notice }).toEqual({ exitCode: 0, notice: '' })
  expect(JSON.parse(result)).toMatchObject(json)
})

/** Commands that ask for a confirmation, with their questions and the accepted answers. */
const QUESTIONS = [
  {
    line: ['org', 'erase', 'org_1'],
    id: 'org_1',
    call: ['eraseOrganization', 'org_1'],
    question:
      'This erases org_1 (Acme) with its names, assets, people, kept replies and keys. It cannot be undone.\nType the id or the name of the organization to erase it: ',
    right: ['org_1', 'Acme'],
    wrong: ['', 'y', 'yes', 'org_2', 'acme'],
    refusal: 'That is not its id or name: nothing was erased.\n',
    text: ERASED_TEXT,
  },
  {
    line: ['user', 'erase', 'usr_1'],
    id: 'usr_1',
    call: ['eraseUser', 'usr_1'],
    question:
      'This erases usr_1 (ana) with the name, and revokes the keys. It cannot be undone.\nType the id or the name of the user to erase it: ',
    right: ['usr_1', 'ana'],
    wrong: ['', 'y', 'yes', 'usr_2', 'org_1'],
    refusal: 'That is not its id or name: nothing was erased.\n',
    text: ERASED_USER_TEXT,
  },
  {
    line: ['person', 'erase', 'group_1', '--org', 'org_1'],
    id: 'group_1',
    call: ['erasePerson', { groupId: 'group_1', organizationId: 'org_1' }],
    question:
      'This erases group_1 with 1 asset and the verification. It cannot be undone.\nType the id of the person to erase it: ',
    right: ['group_1'],
    wrong: ['', 'y', 'yes', 'org_1'],
    refusal: 'That is not its id: nothing was erased.\n',
    text: `Erased the person group_1 of org_1 with 1 asset.\nRemove by hand at vendorA: vendor-asset-1, vendor-group-1\n${PERSON_REST}`,
  },
]

test.each(QUESTIONS)('$line without a terminal and without --yes erases nothing', async ({ line, id }) => {
  const { services, calls } = fakeServices()
  expect(await run(line, services)).toEqual({
    exitCode: 1,
    result: '',
    notice: `Erasing ${id} cannot be undone, and there is no terminal to ask. Confirm it with --yes.\n`,
  })
  expect(calls).toEqual([])
})

test.each(QUESTIONS)('$line --json needs no --yes', async ({ line, call }) => {
  const { services, calls } = fakeServices()
  expect(await run([...line, '--json'], services)).toMatchObject({ exitCode: 0, notice: '' })
  expect(calls).toContainEqual(call)
})

test.each(QUESTIONS)('$line on a terminal erases after its id or name is typed', async (row) => {
  for (const types of row.right) {
    const { services, calls } = fakeServices()
    expect(await run(row.line, services, { types })).toEqual({
      ...{ exitCode: 0, result: row.text, notice: row.question },
    })
    expect(calls).toContainEqual(row.call)
  }
})

test.each(QUESTIONS)('$line on a terminal erases nothing after another answer', async (row) => {
  for (const types of row.wrong) {
    const { services, calls } = fakeServices()
    expect(await run(row.line, services, { types })).toEqual({
      ...{ exitCode: 1, result: '', notice: `${row.question}${row.refusal}` },
    })
    expect(calls).not.toContainEqual(row.call)
  }
})
