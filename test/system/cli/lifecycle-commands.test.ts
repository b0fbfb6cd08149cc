import { expect, test } from 'vitest'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'
import { CREATED, KEY, ORGANIZATION, USER } from './sample-tenants.ts'

const BUDGET = {
  organization_id: 'org_1',
  monthly_budget_micros: null,
  warn_at_percent: null,
  month: '2026-01',
  used_micros: 1_500_000,
  held_micros: 1,
}

const KEY_BUDGET = {
  key_id: 'key_1',
  organization_id: 'org_1',
  monthly_budget_micros: null,
  month: '2026-01',
  used_micros: 0,
  held_micros: 1,
}

interface Scenario {
  line: string[]
  asks: unknown
  json: unknown
  text: string
}

const EVENT = {
  ...{ id: 'evt_1', receiver: 'operator', type: 'event.test', created_at: CREATED, state: 'delivered' },
  ...{ attempts: 1, next_attempt_at: null, last_attempt_at: CREATED, last_status: 204, last_error: null },
  data: { test: true },
}

const STORIES: Scenario[] = [
  {
    line: ['org', 'update', 'org_1', '--low-balance-usd', '5'],
    asks: ['updateOrganization', { id: 'org_1', lowBalanceMicros: 5_000_000 }],
    json: { ...ORGANIZATION, low_balance_micros: 5_000_000 },
    text: `ID     NAME  BILLING  BALANCE   HELD          REQUESTS/MIN  CREATED                   STATE    REPLIES KEPT  BODIES RECORDED  VIDEOS KEPT\norg_1  Acme  prepaid  5.25 USD  0.000001 USD  -             ${CREATED}  enabled  -             off              -\n`,
  },
  {
    line: ['events', 'list', '--org', 'org_1', '--limit', '5'],
    asks: ['listEvents', { organizationId: 'org_1', limit: 5 }],
    json: [EVENT],
    text: `ID     AT                        TYPE        RECEIVER  STATE      ATTEMPTS  ANSWER\nevt_1  ${CREATED}  event.test  operator  delivered  1         204\n`,
  },
  {
    line: ['events', 'resend', 'evt_1'],
    asks: ['resendEvent', 'evt_1'],
    json: EVENT,
    text: 'The event evt_1 is due again: a running server sends it within seconds.\nNext: sluice events list\n',
  },
  {
    line: ['events', 'test'],
    asks: ['testEvent', { organizationId: null }],
    json: EVENT,
    text: 'The event evt_1 is due: a running server sends it within seconds.\nNext: sluice events list\n',
  },
  {
    line: ['demo', '--remove'],
    asks: ['removeDemo'],
    json: { removed: true, organization_ids: ['org_1'] },
    text: 'Removed 1 customers of the demo, with all their rows.\n',
  },
  {
    line: ['org', 'update', 'org_1', '--name', 'Acme Ltd', '--postpaid', '--rpm', 'none'],
    asks: [
      'updateOrganization',
      { id: 'org_1', name: 'Acme Ltd', billing: 'postpaid', requestsPerMinute: null },
    ],
    json: { ...ORGANIZATION, name: 'Acme Ltd', billing: 'postpaid' },
    text: `ID     NAME      BILLING   BALANCE   HELD          REQUESTS/MIN  CREATED                   STATE    REPLIES KEPT  BODIES RECORDED  VIDEOS KEPT\norg_1  Acme Ltd  postpaid  5.25 USD  0.000001 USD  -             ${CREATED}  enabled  -             off              -\n`,
  },
  {
    line: ['org', 'update', 'org_1', '--events-url', 'https://client.example/events'],
    asks: ['updateOrganization', { id: 'org_1', eventsUrl: 'https://client.example/events' }],
    json: { ...ORGANIZATION, events_url: 'https://client.example/events' },
    text: `ID     NAME  BILLING  BALANCE   HELD          REQUESTS/MIN  CREATED                   STATE    REPLIES KEPT  BODIES RECORDED  VIDEOS KEPT\norg_1  Acme  prepaid  5.25 USD  0.000001 USD  -             ${CREATED}  enabled  -             off              -\n`,
  },
  {
    line: ['org', 'update', 'org_1', '--events-url', 'none'],
    asks: ['updateOrganization', { id: 'org_1', eventsUrl: null }],
    json: ORGANIZATION,
    text: `ID     NAME  BILLING  BALANCE   HELD          REQUESTS/MIN  CREATED                   STATE    REPLIES KEPT  BODIES RECORDED  VIDEOS KEPT\norg_1  Acme  prepaid  5.25 USD  0.000001 USD  -             ${CREATED}  enabled  -             off              -\n`,
  },
  {
    line: ['org', 'update', 'org_1', '--keep-replies', 'default'],
    asks: ['updateOrganization', { id: 'org_1', keepReplies: 'default' }],
    json: { ...ORGANIZATION, keep_replies: 'default' },
    text: `ID     NAME  BILLING  BALANCE   HELD          REQUESTS/MIN  CREATED                   STATE    REPLIES KEPT  BODIES RECORDED  VIDEOS KEPT\norg_1  Acme  prepaid  5.25 USD  0.000001 USD  -             ${CREATED}  enabled  default       off              -\n`,
  },
  {
    line: ['org', 'update', 'org_1', '--record-bodies', 'errors'],
    asks: ['updateOrganization', { id: 'org_1', recordBodies: 'errors' }],
    json: { ...ORGANIZATION, record_bodies: 'errors' },
    text: `ID     NAME  BILLING  BALANCE   HELD          REQUESTS/MIN  CREATED                   STATE    REPLIES KEPT  BODIES RECORDED  VIDEOS KEPT\norg_1  Acme  prepaid  5.25 USD  0.000001 USD  -             ${CREATED}  enabled  -             errors           -\n`,
  },
  {
    line: ['org', 'update', 'org_1', '--callback-retries', 'extended'],
    asks: ['updateOrganization', { id: 'org_1', callbackRetries: 'extended' }],
    json: { ...ORGANIZATION, callback_retries: 'extended' },
    text: `ID     NAME  BILLING  BALANCE   HELD          REQUESTS/MIN  CREATED                   STATE    REPLIES KEPT  BODIES RECORDED  VIDEOS KEPT\norg_1  Acme  prepaid  5.25 USD  0.000001 USD  -             ${CREATED}  enabled  -             off              -\n`,
  },
  {
    line: ['org', 'update', 'org_1', '--keep-replies', 'none'],
    asks: ['updateOrganization', { id: 'org_1', keepReplies: null }],
    json: ORGANIZATION,
    text: `ID     NAME  BILLING  BALANCE   HELD          REQUESTS/MIN  CREATED                   STATE    REPLIES KEPT  BODIES RECORDED  VIDEOS KEPT\norg_1  Acme  prepaid  5.25 USD  0.000001 USD  -             ${CREATED}  enabled  -             off              -\n`,
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
  {
    line: [
      ...['key', 'create', '--org', 'org_1', '--user', 'usr_1', '--expires-at', '2027-01-31'],
      ...['--models', 'vendorC/a, vendorD/b,vendorC/a', '--monthly-usd', '12.5'],
    ],
    asks: [
      'createKey',
      {
        ...{ organizationId: 'org_1', userId: 'usr_1', name: '', requestsPerMinute: null },
        expiresAtMs: Date.UTC(2027, 0, 31),
        allowedModels: ['vendorC/a', 'vendorD/b'],
        monthlyBudgetMicros: 12_500_000,
      },
    ],
    json: {
      ...{ ...KEY, name: '', requests_per_minute: null, key: 'sk-sluice-AbCdEf' },
      ...{ expires_at: '2027-01-31T00:00:00.000Z', models: ['vendorC/a', 'vendorD/b'] },
      monthly_budget_micros: 12_500_000,
    },
    text: "Made the key key_1. Keep it now, it is not shown again:\n\n  sk-sluice-AbCdEf\n\nNext: curl http://127.0.0.1:8080/v1/models -H 'Authorization: Bearer sk-sluice-AbCdEf'\n",
  },
  {
    line: ['key', 'rotate', 'key_1', '--overlap', '30m'],
    asks: ['rotateKey', { id: 'key_1', overlapMs: 1_800_000 }],
    json: {
      ...{ ...KEY, id: 'key_2', key: 'sk-sluice-New' },
      replaces: { ...KEY, expires_at: '2026-01-02T03:34:05.000Z' },
    },
    text: 'Made the key key_2 in place of key_1. Keep it now, it is not shown again:\n\n  sk-sluice-New\n\nThe old key works until 2026-01-02T03:34:05.000Z.\n',
  },
  {
    line: ['key', 'budget', 'key_1', '--monthly-usd', '20'],
    asks: ['setKeyBudget', { id: 'key_1', monthlyBudgetMicros: 20_000_000 }],
    json: { ...KEY_BUDGET, monthly_budget_micros: 20_000_000, used_micros: 1_500_000 },
    text: 'key_1 may spend 20.00 USD a month. 1.50 USD was charged in 2026-01, and 0.000001 USD is held.\n',
  },
  {
    line: ['key', 'budget', 'key_1'],
    asks: ['showKeyBudget', 'key_1'],
    json: KEY_BUDGET,
    text: 'key_1 has no budget of its own.\n',
  },
  {
    line: ['org', 'budget', 'org_1', '--monthly-usd', '500'],
    asks: ['setBudget', { id: 'org_1', monthlyBudgetMicros: 500_000_000, warnPercent: 80 }],
    json: { ...BUDGET, monthly_budget_micros: 500_000_000, warn_at_percent: 80 },
    text: 'org_1 may spend 500.00 USD a month; the warning comes at 80 %. 1.50 USD was charged in 2026-01, and 0.000001 USD is held.\n',
  },
  {
    line: ['org', 'budget', 'org_1', '--monthly-usd', 'none'],
    asks: ['setBudget', { id: 'org_1', monthlyBudgetMicros: null, warnPercent: null }],
    json: BUDGET,
    text: 'org_1 has no budget. 1.50 USD was charged in 2026-01, and 0.000001 USD is held.\n',
  },
  {
    line: ['org', 'budget', 'org_1'],
    asks: ['showBudget', 'org_1'],
    json: BUDGET,
    text: 'org_1 has no budget. 1.50 USD was charged in 2026-01, and 0.000001 USD is held.\n',
  },
  {
    line: ['credit', 'add', '--org', 'org_1', '--usd=-5', '--note', 'paid twice'],
    asks: ['addCredit', { organizationId: 'org_1', amountMicros: -5_000_000, note: 'paid twice' }],
    json: { organization_id: 'org_1', balance_micros: 250_000, held_micros: 1 },
    text: 'Took 5.00 USD. The balance of org_1 is 0.25 USD, of which 0.000001 USD is held; 0.249999 USD can be spent.\n',
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
  [['org', 'budget', 'org_1', '--warn-at', '80'], 'Say how much'],
  [['credit', 'add', '--org', 'org_1', '--usd=-5'], 'Say why money is taken'],
  [['credit', 'add', '--org', 'org_1', '--usd=-0', '--note', 'x'], 'Use more than 0'],
  [['credit', 'add', '--org', 'org_1', '--usd=--5', '--note', 'x'], 'Use US dollars'],
  [['org', 'budget', 'org_1', '--monthly-usd', '0'], 'Use more than 0'],
  [['org', 'budget', 'org_1', '--monthly-usd', '5', '--warn-at', '101'], 'Use a whole number'],
  [['key', 'rotate', 'key_1', '--overlap', '24'], 'Use a time such as'],
  [['key', 'rotate', 'key_1', '--overlap', '999d'], 'Use a time such as'],
  [['key', 'create', '--org', 'o', '--user', 'u', '--expires-at', 'tomorrow'], 'Use a moment such as'],
  [
    ['key', 'create', '--org', 'o', '--user', 'u', '--expires-at', '2027-02-31T00:00'],
    'Use a moment such as',
  ],
  [['key', 'create', '--org', 'o', '--user', 'u', '--models', 'a/b,,c/d'], 'Use names of models'],
])('%j is refused before the store is opened', async (line, said) => {
  const { services, calls } = fakeServices()
  const { exitCode, notice } = await run(line, services)
  expect(exitCode).not.toBe(0)
  expect(notice).toContain(said)
  expect(calls).toEqual([])
})
