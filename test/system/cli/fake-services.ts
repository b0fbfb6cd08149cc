import { expect } from 'vitest'
import type { Operator } from '../../../src/app/operator.ts'
import type { Services } from '../../../src/cli/services.ts'
import { readConfig } from '../../../src/compose/config.ts'
import type { OperatorAccount } from '../../../src/domain/access/operator-account.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { Violation } from '../../../src/ports/ledger.ts'
import type { UsageSum } from '../../../src/ports/usage-reports.ts'
import { fakeCatalog } from './fake-catalog.ts'
import { fakeEvents } from './fake-events.ts'
import { fakeLifecycle, PERSON } from './fake-lifecycle.ts'
import { fakeProviders, PROVIDER_SERVICES } from './fake-providers.ts'
import { ATTEMPTS, FAILED_TASK, REFUNDED_TASK, RUNNING_TASK } from './sample-tasks.ts'

const CREATED_AT_MS = Date.UTC(2026, 0, 2, 3, 4, 5)

const ORGANIZATION = {
  id: 'org_1',
  name: 'Acme',
  billing: 'prepaid',
  balanceMicros: micros(5_250_000),
  heldMicros: micros(1),
  requestsPerMinute: null,
  createdAtMs: CREATED_AT_MS,
  disabledAtMs: null,
  eventsUrl: null,
  keepReplies: null,
  recordBodies: 'off',
  callbackRetries: 'default',
  keepMedia: null,
  lowBalanceMicros: null,
} as const

const USER = {
  id: 'usr_1',
  organizationId: 'org_1',
  name: '',
  ...{ maxDailyUserLimit: null, enableLimit: false },
  ...{ createdAtMs: CREATED_AT_MS, disabledAtMs: null },
} as const

const API_KEY = {
  id: 'key_1',
  organizationId: 'org_1',
  userId: 'usr_1',
  name: 'production',
  prefix: 'sk-sluice-AbCd',
  requestsPerMinute: 60,
  createdAtMs: CREATED_AT_MS,
  revokedAtMs: null,
  expiresAtMs: null,
  allowedModels: null,
  monthlyBudgetMicros: null,
} as const

const OPERATOR_ACCOUNT: OperatorAccount = {
  ...{ id: 'opr_1', name: 'ana', role: 'viewer', prefix: 'op-sluice-abcdef' },
  ...{ createdAtMs: 0, revokedAtMs: null },
}

const USAGE: UsageSum = {
  day: Date.parse('2026-01-02'),
  org: 'org_1',
  ...{ requests: 3, errors: 1 },
  inputTokens: 10,
  cachedInputTokens: 20,
  cacheWriteTokens: 30,
  outputTokens: 40,
  videoMs: 5_040,
  costMicros: micros(1_250_001),
}

/** Stands for the rest of the program: it notes what the commands ask for and answers with fixed rows. */
export function fakeServices({
  environment = {},
  violations = [],
  truncatedInvariants = [],
  unmeasuredCharges = 0,
}: {
  environment?: Record<string, string>
  violations?: Violation[]
  truncatedInvariants?: number[]
  unmeasuredCharges?: number
} = {}): {
  services: Services
  calls: unknown[]
} {
  const calls: unknown[] = []
  const missing = () => Promise.reject(new ApiError('not_found'))
  const operator: Operator = {
    ...fakeLifecycle(calls, { organization: ORGANIZATION, user: USER, apiKey: API_KEY }),
    pages: {
      organizations: async () => [ORGANIZATION],
      users: async () => [],
      keys: async () => [],
      async operators(query) {
        calls.push(['pages.operators', query])
        return [OPERATOR_ACCOUNT]
      },
      audit: async () => [],
      entries: async () => [],
      findEntry: async () => undefined,
      entriesOfTask: async () => [],
      snapshotsOfTask: async () => [],
      assets: async () => [],
      async groups(query) {
        calls.push(['pages.groups', query])
        return [PERSON]
      },
      verifications: async () => [],
      attempts: async () => [],
    },
    ...fakeProviders(calls),
    ...{ showTaskHistory: missing, showOverview: missing, setPrices: missing, showKey: missing },
    async showUser(id) {
      calls.push(['showUser', id])
      return { ...USER, id, name: 'ana' }
    },
    async rotateSecret({ forgetPrevious }) {
      calls.push(['rotateSecret', { forgetPrevious }])
      const needs = [{ of: 'api_keys' as const, rows: 1, untilMs: null, ids: ['key_1'] }]
      return { switched: true, encryptedAgain: 3, unreadable: 0, needs, ended: forgetPrevious }
    },
    async rotateReceiptKey() {
      calls.push(['rotateReceiptKey'])
      return { kid: 'kid_2', earlierKeys: 1 }
    },
    listReceiptKeys: async () => ({ keys: [] }),
    async createOperator(command) {
      calls.push(['createOperator', command])
      return { account: { ...OPERATOR_ACCOUNT, ...command }, token: 'op-sluice-secret' }
    },
    async revokeOperator(id) {
      calls.push(['revokeOperator', id])
      return { ...OPERATOR_ACCOUNT, id, revokedAtMs: 0 }
    },
    async createOrganization(command) {
      calls.push(['createOrganization', command])
      return { organization: { ...ORGANIZATION, ...command }, webhookSecret: 'whsec_1' }
    },
    ...fakeEvents(calls),
    async testCallback(command) {
      calls.push(['testCallback', command])
      return { id: 'msg_1', status: 204, error: null, durationMs: 12 }
    },
    async listOrganizations() {
      calls.push(['listOrganizations'])
      return [ORGANIZATION]
    },
    async showOrganization(id) {
      calls.push(['showOrganization', id])
      if (id !== ORGANIZATION.id)
        throw new ApiError('not_found', { message: `There is no organization ${id}.` })
      return ORGANIZATION
    },
    async showUsage(id) {
      calls.push(['showUsage', id])
      throw new ApiError('not_found', { message: `Nothing was charged for ${id}.` })
    },
    async *exportFocus(query) {
      calls.push(['exportFocus', query])
      yield []
    },
    async sumUsage(query) {
      calls.push(['sumUsage', query])
      return { sums: [USAGE], nextCursor: undefined }
    },
    async showWebhookSecret(id) {
      calls.push(['showWebhookSecret', id])
      return 'whsec_1'
    },
    async rotateWebhookSecret(id) {
      calls.push(['rotateWebhookSecret', id])
      return 'whsec_2'
    },
    async createUser(command) {
      calls.push(['createUser', command])
      return { ...USER, ...command }
    },
    async listUsers(organizationId) {
      calls.push(['listUsers', organizationId])
      return organizationId === 'org_1'
        ? [USER, { ...USER, id: 'usr_2', maxDailyUserLimit: '5.25', enableLimit: true }]
        : []
    },
    async setUserLimit({ id, ...limit }) {
      calls.push(['setUserLimit', { id, ...limit }])
      return { ...USER, id, ...limit }
    },
    async createKey(command) {
      calls.push(['createKey', command])
      return { apiKey: { ...API_KEY, ...command, ...termsOf(command) }, key: 'sk-sluice-AbCdEf' }
    },
    async listKeys(organizationId) {
      calls.push(['listKeys', organizationId])
      return [API_KEY]
    },
    async revokeKey(id) {
      calls.push(['revokeKey', id])
      return { ...API_KEY, id, revokedAtMs: CREATED_AT_MS + 1000 }
    },
    async addCredit(command) {
      calls.push(['addCredit', command])
      const isRepeat = command.entryId !== undefined
      return { ...ORGANIZATION, balanceMicros: micros(5_250_000 + command.amountMicros), isRepeat }
    },
    async showCredit(organizationId) {
      calls.push(['showCredit', organizationId])
      return organizationId === 'org_1'
        ? ORGANIZATION
        : { ...ORGANIZATION, id: organizationId, billing: 'postpaid', balanceMicros: micros(-2_000_000) }
    },
    async checkLedger() {
      calls.push(['checkLedger'])
      return { violations, truncatedInvariants, unmeasuredCharges, uncheckedInvariants: [] }
    },
    reconcileBill: () => Promise.reject(new ApiError('not_found')),
    async refundTask(command) {
      calls.push(['refundTask', command])
      const amountMicros = command.amountMicros ?? micros(540_000)
      const isRepeat = command.entryId !== undefined
      return { organizationId: 'org_1', amountMicros, refundedMicros: micros(540_000), isRepeat }
    },
    async listTasks(query) {
      calls.push(['listTasks', query])
      return query.organizationId === 'org_2' ? [] : [RUNNING_TASK, FAILED_TASK]
    },
    async showTask(id) {
      calls.push(['showTask', id])
      if (id === FAILED_TASK.id) return FAILED_TASK
      if (id === RUNNING_TASK.id) return RUNNING_TASK
      if (id === REFUNDED_TASK.id) return REFUNDED_TASK
      throw new ApiError('not_found', { message: `There is no task ${id}.` })
    },
    async listCallbacks(query) {
      calls.push(['listCallbacks', query])
      return query.taskId === RUNNING_TASK.id ? [] : ATTEMPTS
    },
    async resumeTask(id) {
      calls.push(['resumeTask', id])
      return id
    },
    countTasksSetAside: async () => 0,
    async resendCallback(taskId) {
      calls.push(['resendCallback', taskId])
      return taskId
    },
    ...fakeCatalog(calls, CREATED_AT_MS),
  }
  return {
    calls,
    services: {
      loadConfig: () => readConfig({ environment, readFile: () => '' }),
      async startServer({ workers }) {
        calls.push(['startServer', workers])
      },
      async composeOperator() {
        calls.push('open')
        return {
          operator,
          async close() {
            calls.push('close')
          },
        }
      },
      async migrateStore() {
        return ['0001-tenants']
      },
      async checkDependencies() {
        return [{ name: 'store', ok: true, detail: 'answers' }]
      },
      fillDemo: async () => ({ organizationIds: ['org_1'], requests: 5, videos: 2 }),
      testProvider: async () => [{ name: 'provider', ok: true, detail: 'answers' }],
      ...PROVIDER_SERVICES,
      findSandboxVendor: async () => undefined,
      quoteOrder: () => Promise.reject(new ApiError('not_found')),
      randomSecret: () => 's'.repeat(43),
      hasFile: () => false,
      withMedia: async (_config, work) =>
        work({
          check: async () => ({ missing: [], changed: [], orphans: ['org_1/clip_1/1.mp4'] }),
          list: async () => [],
          erase: async (taskId) => (taskId === 'task_1' ? [{ taskId, sha256: 'ab'.repeat(32) }] : undefined),
        }),
      readFile: () => expect.fail('there is no file'),
      writeFile(path) {
        calls.push(['writeFile', path])
      },
    },
  }
}

function termsOf({
  expiresAtMs = null,
  allowedModels = null,
  monthlyBudgetMicros = null,
}: Parameters<Operator['createKey']>[0]) {
  return { expiresAtMs, allowedModels, monthlyBudgetMicros }
}
