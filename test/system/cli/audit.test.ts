import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDemo } from '../../../src/app/access/make-demo.ts'
import { addCredit } from '../../../src/app/billing/add-credit.ts'
import { type QuotaChange, subscribeToInvalidations } from '../../../src/app/limits/sync/invalidations.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { migrateStore } from '../../../src/compose/engines.ts'
import { composeOperator } from '../../../src/compose/operator.ts'
import { micros } from '../../../src/domain/billing/micros.ts'

let folder = ''
let composed: Awaited<ReturnType<typeof composeOperator>>
const news: QuotaChange[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-audit-'))
  const environment = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' }
  const config = readConfig({ environment, readFile: () => '' })
  await migrateStore(config)
  composed = await composeOperator(config)
  const { cache, tools } = composed
  await subscribeToInvalidations({ cache, log: tools.log, forget: (change) => void news.push(change) })
})

afterAll(async () => {
  await composed.close()
  await rm(folder, { recursive: true, force: true })
})

/** Rows after the one with this id, oldest first. */
async function auditsAfter(id: string) {
  const rows = await composed.store.audit.list({ limit: 1_000 })
  return rows.filter((row) => row.id > id).toReversed()
}

test('the demo is one act of the gateway, and its credit is in the ledger', async () => {
  const { store, tools } = composed
  const make = makeDemo({ organizations: store.organizations, ...tools, actor: 'gateway' })
  const demo = await make()
  expect(await make()).toBeUndefined()
  expect(await auditsAfter('')).toMatchObject([
    {
      actor: 'gateway',
      action: 'demo.create',
      organizationId: demo?.organizationId,
      detail: { user_id: demo?.userId, credit_micros: 25_000_000 },
    },
  ])
  expect(await store.organizations.find(demo?.organizationId ?? '')).toMatchObject({
    balanceMicros: 25_000_000,
  })
  expect(await store.ledger.check({ nowMs: tools.clock.nowMs(), limit: 10 })).toEqual([])
})

test('every change of an operator is audited, without its secrets', async () => {
  const { operator } = composed
  const [latest] = await composed.store.audit.list({ limit: 1 })
  const { organization, webhookSecret } = await operator.createOrganization({
    name: 'Acme',
    billing: 'prepaid',
    requestsPerMinute: 600,
  })
  const organizationId = organization.id
  const rotated = await operator.rotateWebhookSecret(organizationId)
  const user = await operator.createUser({ organizationId, name: 'Ada' })
  await operator.setUserLimit({ id: user.id, maxDailyUserLimit: '5.25', enableLimit: true })
  const { apiKey, key } = await operator.createKey({
    organizationId,
    userId: user.id,
    name: 'laptop',
    requestsPerMinute: 60,
  })
  await operator.addCredit({ organizationId, amountMicros: micros(5_000_000), note: 'invoice 17' })
  await operator.revokeKey(apiKey.id)
  await operator.revokeKey(apiKey.id)

  const rows = await auditsAfter(latest?.id ?? '')
  const row = { actor: 'cli', organizationId }
  expect(rows).toMatchObject([
    {
      ...row,
      action: 'organization.create',
      subject: organizationId,
      detail: { name: 'Acme', billing: 'prepaid', requests_per_minute: 600 },
    },
    { ...row, action: 'organization.rotate-secret', subject: organizationId, detail: {} },
    { ...row, action: 'user.create', subject: user.id, detail: { name: 'Ada' } },
    {
      ...row,
      action: 'user.limit',
      subject: user.id,
      detail: { max_daily_user_limit: '5.25', enable_limit: true },
    },
    {
      ...row,
      action: 'key.create',
      subject: apiKey.id,
      detail: { user_id: user.id, name: 'laptop', requests_per_minute: 60 },
    },
    {
      ...row,
      action: 'credit.add',
      subject: organizationId,
      detail: { amount_micros: 5_000_000, note: 'invoice 17' },
    },
    { ...row, action: 'key.revoke', subject: apiKey.id, detail: {} },
  ])
  const text = JSON.stringify(rows)
  for (const secret of [webhookSecret, rotated, key, apiKey.prefix]) expect(text).not.toContain(secret)
  expect(news).toEqual([
    { kind: 'user', id: user.id },
    { kind: 'organization', id: organizationId },
  ])
})

test('changing, disabling and enabling an organization or a user are separate acts', async () => {
  const { operator } = composed
  const values = { name: 'Changing', billing: 'postpaid', requestsPerMinute: null } as const
  const { organization } = await operator.createOrganization(values)
  const organizationId = organization.id
  const { id } = await operator.createUser({ organizationId, name: '' })
  const [latest] = await composed.store.audit.list({ limit: 1 })
  const reported = news.length
  await operator.updateOrganization({ id: organizationId, name: 'Changed', requestsPerMinute: 5 })
  await operator.disableOrganization(organizationId)
  await operator.enableOrganization(organizationId)
  await operator.disableUser(id)
  await operator.enableUser(id)
  const row = { actor: 'cli', organizationId, subject: organizationId, detail: {} }
  expect(await auditsAfter(latest?.id ?? '')).toMatchObject([
    { ...row, action: 'organization.update', detail: { name: 'Changed', requests_per_minute: 5 } },
    { ...row, action: 'organization.disable' },
    { ...row, action: 'organization.enable' },
    { ...row, action: 'user.disable', subject: id },
    { ...row, action: 'user.enable', subject: id },
  ])
  expect(news.slice(reported).map(({ kind }) => kind)).toEqual([
    ...['organization', 'organization', 'organization', 'user', 'user'],
  ])
})

test('a change that did not happen is not audited', async () => {
  const { operator } = composed
  const [latest] = await composed.store.audit.list({ limit: 1 })
  const reported = news.length
  const organizationId = 'org_missing'
  const key = { organizationId, userId: 'usr_missing', name: '', requestsPerMinute: null }
  for (const attempt of [
    () => operator.rotateKey({ id: 'key_missing', overlapMs: 0 }),
    () => operator.rotateWebhookSecret(organizationId),
    () => operator.createUser({ organizationId, name: '' }),
    () => operator.updateOrganization({ id: organizationId, name: 'x' }),
    () => operator.disableOrganization(organizationId),
    () => operator.enableUser('usr_missing'),
    () => operator.setUserLimit({ id: 'usr_missing', maxDailyUserLimit: '5', enableLimit: true }),
    () => operator.createKey(key),
    () => operator.revokeKey('key_missing'),
    () => operator.addCredit({ organizationId, amountMicros: micros(1), note: null }),
    () => operator.refundTask({ taskId: 'task_missing', amountMicros: undefined, note: null }),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: 'not_found' })
  }
  expect(await auditsAfter(latest?.id ?? '')).toEqual([])
  expect(news).toHaveLength(reported)
})

test('a failed message is a warning, and the change stays', async () => {
  const { operator, cache, tools } = composed
  const { organization } = await operator.createOrganization({
    name: 'Quiet',
    billing: 'prepaid',
    requestsPerMinute: null,
  })
  const warnings: string[] = []
  const silent = { ...cache, publish: () => Promise.reject(new Error('away')) }
  const add = addCredit({
    ...tools,
    ledger: composed.store.ledger,
    cache: silent,
    log: { debug() {}, info() {}, warn: (event) => void warnings.push(event), error() {} },
    actor: 'cli',
  })
  const credited = await add({ organizationId: organization.id, amountMicros: micros(7), note: null })
  expect(credited.balanceMicros).toBe(7)
  expect(warnings).toEqual(['limits.announce_failed'])
})
