import { expect, test } from 'vitest'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const CREATED = '2026-01-02T03:04:05.000Z'
const ORGANIZATION = {
  id: 'org_1',
  name: 'Acme',
  billing: 'prepaid',
  balance_micros: 5_250_000,
  held_micros: 1,
  requests_per_minute: null,
  created_at: CREATED,
  disabled_at: null,
}
const USER = {
  id: 'usr_1',
  organization_id: 'org_1',
  name: '',
  max_daily_user_limit: null,
  enable_limit: false,
  created_at: CREATED,
  disabled_at: null,
}

interface Story {
  line: string[]
  asks: unknown
  json: unknown
  text: string
}

const STORIES: Story[] = [
  {
    line: ['org', 'update', 'org_1', '--name', 'Acme Ltd', '--postpaid', '--rpm', 'none'],
    asks: [
      'updateOrganization',
      { id: 'org_1', name: 'Acme Ltd', billing: 'postpaid', requestsPerMinute: null },
    ],
    json: { ...ORGANIZATION, name: 'Acme Ltd', billing: 'postpaid' },
    text: `ID     NAME      BILLING   BALANCE   HELD          REQUESTS/MIN  CREATED                   STATE\norg_1  Acme Ltd  postpaid  5.25 USD  0.000001 USD  -             ${CREATED}  enabled\n`,
  },
  {
    line: ['org', 'disable', 'org_1'],
    asks: ['disableOrganization', 'org_1'],
    json: { ...ORGANIZATION, disabled_at: CREATED },
    text: 'The organization org_1 is disabled. Its keys stop working everywhere within 5 seconds.\n',
  },
  {
    line: ['org', 'enable', 'org_1'],
    asks: ['enableOrganization', 'org_1'],
    json: ORGANIZATION,
    text: 'The organization org_1 is enabled. Its keys work again within 5 seconds.\n',
  },
  {
    line: ['user', 'disable', 'usr_1'],
    asks: ['disableUser', 'usr_1'],
    json: { ...USER, disabled_at: CREATED },
    text: 'The user usr_1 is disabled. The keys of this user stop working everywhere within 5 seconds.\n',
  },
  {
    line: ['user', 'enable', 'usr_1'],
    asks: ['enableUser', 'usr_1'],
    json: USER,
    text: 'The user usr_1 is enabled. The keys of this user work again within 5 seconds.\n',
  },
]

test.each(STORIES)('$line, for people', async ({ line, asks, text }) => {
  const { services, calls } = fakeServices()
  expect(await run(line, services)).toEqual({ exitCode: 0, result: text, notice: '' })
  expect(calls).toEqual(['open', asks, 'close'])
})

test.each(STORIES)('$line --json prints one value and nothing else', async ({ line, json }) => {
  const { services } = fakeServices()
  const { exitCode, result, notice } = await run([...line, '--json'], services)
  expect({ exitCode, notice }).toEqual({ exitCode: 0, notice: '' })
  expect(JSON.parse(result)).toEqual(json)
})

test.each([
  [['org', 'update', 'org_1'], 'Say what to change'],
  [['org', 'update', 'org_1', '--prepaid', '--postpaid'], 'cannot be used with'],
  [['org', 'update', 'org_1', '--rpm', '0'], 'Use a whole number from 1'],
])('%j is refused before the store is opened', async (line, said) => {
  const { services, calls } = fakeServices()
  const { exitCode, notice } = await run(line, services)
  expect(exitCode).not.toBe(0)
  expect(notice).toContain(said)
  expect(calls).toEqual([])
})
