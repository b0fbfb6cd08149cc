import { expect, test } from 'vitest'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const ERASED = {
  group_id: 'group_1',
  erased: true,
  assets: ['asset_1'],
  removing: { provider: 'vendorA', asset_ids: [], group_id: null },
  to_remove_by_hand: { provider: 'vendorA', asset_ids: ['vendor-asset-1'], group_id: 'vendor-group-1' },
}
const ERASED_TEXT = `Erased the organization org_1. Its keys stop working everywhere within 5 seconds.
Remove by hand at the vendor: vendor-asset-1, vendor-group-1
What is left, under ids without names: its ledger with a balance of 5.25 USD, of which running tasks hold 0.000001 USD, usage, receipts, tasks and the audit.
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
    line: ['person', 'erase', 'group_1', '--org', 'org_1'],
    asks: ['erasePerson', { groupId: 'group_1', organizationId: 'org_1' }],
    json: ERASED,
    text: 'Erased the person group_1 of org_1 with 1 asset.\nRemove by hand at vendorA: vendor-asset-1, vendor-group-1\n',
  },
  {
    line: ['person', 'erase', 'group_2', '--org', 'org_1'],
    asks: ['erasePerson', { groupId: 'group_2', organizationId: 'org_1' }],
    json: { ...ERASED, to_remove_by_hand: { ...ERASED.to_remove_by_hand, group_id: null } },
    text: 'Erased the person group_2 of org_1 with 1 asset.\nRemove by hand at vendorA: vendor-asset-1\n',
  },
  {
    line: ['person', 'erase', 'group_3', '--org', 'org_1'],
    asks: ['erasePerson', { groupId: 'group_3', organizationId: 'org_1' }],
    json: { ...ERASED, removing: ERASED.to_remove_by_hand, to_remove_by_hand: ERASED.removing },
    text: 'Erased the person group_3 of org_1 with 1 asset.\nA running gateway has vendorA remove its copies: vendor-asset-1, vendor-group-1\n',
  },
  {
    line: ['org', 'erase', 'org_1', '--yes'],
    looksAt: [['showOrganization', 'org_1']],
    asks: ['eraseOrganization', 'org_1'],
    json: { id: 'org_1', erased: true, groups: [ERASED] },
    text: ERASED_TEXT,
  },
  {
    line: ['user', 'erase', 'usr_1'],
    asks: ['eraseUser', 'usr_1'],
    json: { id: 'usr_1', organization_id: 'org_1', erased: true },
    text: 'Erased the user usr_1. The keys of this user stop working everywhere within 5 seconds.\n',
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

test('org erase without a terminal and without --yes erases nothing', async () => {
  const { services, calls } = fakeServices()
  expect(await run(['org', 'erase', 'org_1'], services)).toEqual({
    exitCode: 1,
    result: '',
    notice: 'Erasing org_1 cannot be undone, and there is no terminal to ask. Confirm it with --yes.\n',
  })
  expect(calls).toEqual([])
})

test('org erase --json needs no --yes', async () => {
  const { services, calls } = fakeServices()
  expect(await run(['org', 'erase', 'org_1', '--json'], services)).toMatchObject({ exitCode: 0, notice: '' })
  expect(calls).toContainEqual(['eraseOrganization', 'org_1'])
})

const QUESTION = `This erases org_1 (Acme) with its names, assets, people, kept replies and keys. It cannot be undone.
Type the id or the name of the organization to erase it: `

test.each(['org_1', 'Acme'])('org erase on a terminal erases after %s is typed', async (types) => {
  const { services, calls } = fakeServices()
  expect(await run(['org', 'erase', 'org_1'], services, { types })).toEqual({
    ...{ exitCode: 0, result: ERASED_TEXT, notice: QUESTION },
  })
  expect(calls).toContainEqual(['eraseOrganization', 'org_1'])
})

test.each(['', 'y', 'yes', 'org_2', 'acme'])(
  'org erase on a terminal erases nothing after "%s"',
  async (types) => {
    const { services, calls } = fakeServices()
    expect(await run(['org', 'erase', 'org_1'], services, { types })).toEqual({
      ...{ exitCode: 1, result: '', notice: `${QUESTION}That is not its id or name: nothing was erased.\n` },
    })
    expect(calls).not.toContainEqual(['eraseOrganization', 'org_1'])
  },
)
