import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'
import { CREATED, KEY, ORGANIZATION, USER } from './sample-tenants.ts'

interface Scenario {
  line: string[]
  asks: unknown
  json: unknown
  text: string
}

const STORIES: Scenario[] = [
  {
    line: ['org', 'create', '--name', 'Acme', '--prepaid'],
    asks: ['createOrganization', { name: 'Acme', billing: 'prepaid', requestsPerMinute: null }],
    json: { ...ORGANIZATION, webhook_secret: 'whsec_1' },
    text: 'Made the prepaid organization org_1 (Acme).\nIts callbacks are signed with whsec_1\nPay in: sluice credit add --org org_1 --usd 25\nNext: sluice user create --org org_1\n',
  },
  {
    line: ['org', 'create', '--name', 'Acme', '--postpaid', '--rpm', '600'],
    asks: ['createOrganization', { name: 'Acme', billing: 'postpaid', requestsPerMinute: 600 }],
    json: { ...ORGANIZATION, billing: 'postpaid', requests_per_minute: 600, webhook_secret: 'whsec_1' },
    text: 'Made the postpaid organization org_1 (Acme).\nIts callbacks are signed with whsec_1\nNext: sluice user create --org org_1\n',
  },
  {
    line: ['org', 'list'],
    asks: ['listOrganizations'],
    json: [ORGANIZATION],
    text: `ID     NAME  BILLING  BALANCE   HELD          REQUESTS/MIN  CREATED                   STATE\norg_1  Acme  prepaid  5.25 USD  0.000001 USD  -             ${CREATED}  enabled\n`,
  },
  {
    line: ['org', 'show', 'org_1'],
    asks: ['showOrganization', 'org_1'],
    json: ORGANIZATION,
    text: `ID     NAME  BILLING  BALANCE   HELD          REQUESTS/MIN  CREATED                   STATE    REPLIES KEPT  BODIES RECORDED  VIDEOS KEPT\norg_1  Acme  prepaid  5.25 USD  0.000001 USD  -             ${CREATED}  enabled  -             off              -\n`,
  },
  {
    line: ['org', 'secret', 'org_1'],
    asks: ['showWebhookSecret', 'org_1'],
    json: { id: 'org_1', webhook_secret: 'whsec_1' },
    text: 'whsec_1\n',
  },
  {
    line: ['org', 'secret', 'org_1', '--rotate'],
    asks: ['rotateWebhookSecret', 'org_1'],
    json: { id: 'org_1', webhook_secret: 'whsec_2' },
    text: 'whsec_2\n',
  },
  {
    line: ['user', 'create', '--org', 'org_1'],
    asks: ['createUser', { organizationId: 'org_1', name: '' }],
    json: USER,
    text: 'Made the user usr_1.\nNext: sluice key create --org org_1 --user usr_1\n',
  },
  {
    line: ['user', 'create', '--org', 'org_1', '--name', 'Render farm'],
    asks: ['createUser', { organizationId: 'org_1', name: 'Render farm' }],
    json: { ...USER, name: 'Render farm' },
    text: 'Made the user usr_1.\nNext: sluice key create --org org_1 --user usr_1\n',
  },
  {
    line: ['user', 'list', '--org', 'org_1'],
    asks: ['listUsers', 'org_1'],
    json: [USER, { ...USER, id: 'usr_2', max_daily_user_limit: 5.25, enable_limit: true }],
    text: `ID     NAME  DAILY LIMIT     CREATED                   STATE\nusr_1  -     none            ${CREATED}  enabled\nusr_2  -     5.25 USD a day  ${CREATED}  enabled\n`,
  },
  {
    line: ['user', 'list', '--org', 'org_2'],
    asks: ['listUsers', 'org_2'],
    json: [],
    text: 'No user yet. Make one: sluice user create --org org_2\n',
  },
  {
    line: ['user', 'limit', 'usr_1', '--daily-usd', '5.50', '--enable'],
    asks: ['setUserLimit', { id: 'usr_1', maxDailyUserLimit: '5.5', enableLimit: true }],
    json: { ...USER, max_daily_user_limit: 5.5, enable_limit: true },
    text: 'The daily limit of usr_1 is now: 5.5 USD a day.\n',
  },
  {
    line: ['user', 'limit', 'usr_1', '--daily-usd', '0', '--disable'],
    asks: ['setUserLimit', { id: 'usr_1', maxDailyUserLimit: '0', enableLimit: false }],
    json: { ...USER, max_daily_user_limit: 0, enable_limit: false },
    text: 'The daily limit of usr_1 is now: off (0 USD a day).\n',
  },
  {
    line: ['key', 'create', '--org', 'org_1', '--user', 'usr_1', '--name', 'production', '--rpm', '60'],
    asks: [
      'createKey',
      { organizationId: 'org_1', userId: 'usr_1', name: 'production', requestsPerMinute: 60 },
    ],
    json: { ...KEY, key: 'sk-sluice-AbCdEf' },
    text: "Made the key key_1. Keep it now, it is not shown again:\n\n  sk-sluice-AbCdEf\n\nNext: curl http://127.0.0.1:8080/v1/models -H 'Authorization: Bearer sk-sluice-AbCdEf'\n",
  },
  {
    line: ['key', 'list', '--org', 'org_1'],
    asks: ['listKeys', 'org_1'],
    json: [KEY],
    text: `ID     PREFIX          USER   NAME        REQUESTS/MIN  CREATED                   REVOKED  EXPIRES  MODELS  BUDGET/MONTH\nkey_1  sk-sluice-AbCd  usr_1  production  60            ${CREATED}  -        -        all     -\n`,
  },
  {
    line: ['key', 'revoke', 'key_1'],
    asks: ['revokeKey', 'key_1'],
    json: { ...KEY, revoked_at: '2026-01-02T03:04:06.000Z' },
    text: 'The key key_1 (sk-sluice-AbCd...) is revoked. It stops working everywhere within 5 seconds.\n',
  },
  {
    line: ['credit', 'add', '--org', 'org_1', '--usd', '25', '--note', 'invoice 17'],
    asks: ['addCredit', { organizationId: 'org_1', amountMicros: 25_000_000, note: 'invoice 17' }],
    json: { organization_id: 'org_1', balance_micros: 30_250_000, held_micros: 1 },
    text: 'Added 25.00 USD. The balance of org_1 is 30.25 USD, of which 0.000001 USD is held; 30.249999 USD can be spent.\n',
  },
  {
    line: ['credit', 'add', '--org', 'org_1', '--usd', '0.000001'],
    asks: ['addCredit', { organizationId: 'org_1', amountMicros: 1, note: null }],
    json: { organization_id: 'org_1', balance_micros: 5_250_001, held_micros: 1 },
    text: 'Added 0.000001 USD. The balance of org_1 is 5.250001 USD, of which 0.000001 USD is held; 5.25 USD can be spent.\n',
  },
  {
    line: ['credit', 'add', '--org', 'org_1', '--usd', '25', '--entry', 'ent_1'],
    asks: ['addCredit', { organizationId: 'org_1', amountMicros: 25_000_000, note: null, entryId: 'ent_1' }],
    json: { organization_id: 'org_1', balance_micros: 30_250_000, held_micros: 1 },
    text: 'It was added already. The balance of org_1 is 30.25 USD, of which 0.000001 USD is held; 30.249999 USD can be spent.\n',
  },
  {
    line: ['credit', 'show', '--org', 'org_1'],
    asks: ['showCredit', 'org_1'],
    json: { organization_id: 'org_1', balance_micros: 5_250_000, held_micros: 1 },
    text: 'The balance of org_1 is 5.25 USD, of which 0.000001 USD is held; 5.249999 USD can be spent.\n',
  },
  {
    line: ['credit', 'show', '--org', 'org_2'],
    asks: ['showCredit', 'org_2'],
    json: { organization_id: 'org_2', balance_micros: -2_000_000, held_micros: 1 },
    text: 'The balance of org_2 is -2.00 USD, of which 0.000001 USD is held. It pays later: a balance below zero is its debt.\n',
  },
  {
    line: ['ledger', 'check'],
    asks: ['checkLedger'],
    json: { ok: true, violations: [] },
    text: 'The ledger is right: all fifteen invariants hold.\n',
  },
  {
    line: ['ledger', 'refund', 'task_1', '--note', 'broken'],
    asks: ['refundTask', { taskId: 'task_1', amountMicros: undefined, note: 'broken' }],
    json: {
      task_id: 'task_1',
      organization_id: 'org_1',
      amount_micros: 540_000,
      refunded_micros: 540_000,
    },
    text: 'Gave 0.54 USD back to org_1 for task_1.\n',
  },
  {
    line: ['ledger', 'refund', 'task_1', '--note', 'late', '--usd', '0.25', '--entry', 'ent_019a2b3c'],
    asks: ['refundTask', { taskId: 'task_1', amountMicros: 250_000, note: 'late', entryId: 'ent_019a2b3c' }],
    json: {
      task_id: 'task_1',
      organization_id: 'org_1',
      amount_micros: 250_000,
      refunded_micros: 540_000,
    },
    text: 'It was given back already: 0.25 USD to org_1 for task_1, 0.54 USD in all.\n',
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

test('an error prints nothing on standard output, and the store is closed', async () => {
  const { services, calls } = fakeServices()
  const missing = await run(['org', 'show', 'org_9', '--json'], services)
  expect(missing).toEqual({ exitCode: 1, result: '', notice: 'There is no organization org_9.\n' })
  expect(calls.at(-1)).toBe('close')
})

test('a wrong setting is reported before the store is opened', async () => {
  const { services, calls } = fakeServices({ environment: { PORT: 'x' } })
  const { exitCode, result, notice } = await run(['org', 'list'], services)
  expect({ exitCode, result, calls }).toEqual({ exitCode: 1, result: '', calls: [] })
  expect(notice).toMatch(/^One setting is wrong:\n {2}PORT: "x" is not a whole number/)
})

const SCALED = {
  DATABASE_URL: 'postgres://db/sluice',
  REDIS_URL: 'redis://cache',
  SLUICE_SECRET: 's'.repeat(32),
}

test.each([
  { line: ['serve'], environment: {}, workers: undefined },
  { line: ['serve', '--workers', '4'], environment: SCALED, workers: 4 },
])('$line starts the server', async ({ line, environment, workers }) => {
  const { services, calls } = fakeServices({ environment })
  expect(await run(line, services)).toEqual({ exitCode: 0, result: '', notice: '' })
  expect(calls).toEqual([['startServer', workers]])
})

test('without a command the server starts, and a notice names its store', async () => {
  const { services, calls } = fakeServices({ environment: {} })
  const { exitCode, result, notice } = await run([], services)
  expect({ exitCode, result, calls }).toEqual({
    exitCode: 0,
    result: '',
    calls: [['startServer', undefined]],
  })
  expect(notice).toMatch(/^Starting the gateway \(store: SQLite in .*data\)\. "sluice --help" lists/)
})

const NOT_SCALED: Record<string, string>[] = [
  {},
  { REDIS_URL: SCALED.REDIS_URL },
  { DATABASE_URL: SCALED.DATABASE_URL, SLUICE_SECRET: SCALED.SLUICE_SECRET },
]

test.each(NOT_SCALED)('workers need PostgreSQL and Redis: %j is refused', async (environment) => {
  const { services, calls } = fakeServices({ environment })
  const { exitCode, notice } = await run(['serve', '--workers', '2'], services)
  expect({ exitCode, calls }).toEqual({ exitCode: 2, calls: [] })
  expect(notice).toContain('--workers needs DATABASE_URL and REDIS_URL')
})

test('migrate names the applied migrations', async () => {
  const { services } = fakeServices()
  expect((await run(['migrate'], services)).result).toBe('Applied: 0001-tenants.\n')
  expect((await run(['migrate', '--json'], services)).result).toBe('{"applied":["0001-tenants"]}\n')
  const upToDate = { ...services, migrateStore: async () => [] }
  expect((await run(['migrate'], upToDate)).result).toBe('The store is up to date.\n')
})

test('doctor reports that all is well', async () => {
  const { services } = fakeServices()
  expect(await run(['doctor'], services)).toEqual({
    exitCode: 0,
    result: [
      `ok      settings: SQLite in ${resolve('data')}; cache in the process; sandbox vendors`,
      'ok      store: answers',
      '',
    ].join('\n'),
    notice: '',
  })
})

test('doctor names each fault with a fix, and fails', async () => {
  const { services } = fakeServices()
  const broken = {
    ...services,
    checkDependencies: async () => [{ name: 'cache', ok: false, detail: 'no answer', fix: 'Start Redis.' }],
  }
  const { exitCode, result, notice } = await run(['doctor'], broken)
  expect({ exitCode, notice }).toEqual({ exitCode: 1, notice: 'One check failed.\n' })
  expect(result).toContain('FAILED  cache: no answer\n        Start Redis.\n')

  const json = await run(['doctor', '--json'], broken)
  expect(JSON.parse(json.result)).toMatchObject({
    ok: false,
    checks: [{ ok: true }, { name: 'cache', ok: false }],
  })
})
